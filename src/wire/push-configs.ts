/** Push-notification configurations, with a pagination of their own (PUSH-1). Notifications themselves are not sent. */
import { randomUUID } from 'node:crypto';
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { InvalidArgumentError } from '../task/errors.ts';

/** One page of a task's configurations, by id. */
export interface PushConfigPage {
  readonly configs: TaskPushNotificationConfig[];
  /** Empty where nothing follows. */
  readonly nextPageToken: string;
}

/** Keeps the configurations of tasks in memory; who may ask for them is checked before. */
export interface PushConfigs {
  /** Stores a configuration under its id, or under a new one where it has none. */
  set(taskId: string, config: TaskPushNotificationConfig): TaskPushNotificationConfig;
  get(taskId: string, id: string): TaskPushNotificationConfig | undefined;
  /** Lists by id. 0 and absent mean a page of 50; a token of task lists is an invalid argument here. */
  list(taskId: string, pageSize: number, pageToken: string): PushConfigPage;
  /** Removes a configuration, or does nothing. */
  delete(taskId: string, id: string): void;
  /** Removes all of a task that is gone: a later task of its id must not inherit them. */
  forget(taskId: string): void;
}

const TOKEN_PREFIX = 'push1.';
const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

/** Makes an empty store of configurations, of at most `limitPerTask` a task. */
export function createPushConfigs(limitPerTask: number): PushConfigs {
  const byTask = new Map<string, Map<string, TaskPushNotificationConfig>>();

  return {
    set(taskId, config) {
      const configs = byTask.get(taskId) ?? new Map<string, TaskPushNotificationConfig>();
      const id = config.id || randomUUID();
      if (!configs.has(id) && configs.size >= limitPerTask) {
        throw new InvalidArgumentError('The task has too many push configurations');
      }
      const stored = { ...config, tenant: '', taskId, id };
      configs.set(id, stored);
      byTask.set(taskId, configs);
      return stored;
    },

    get: (taskId, id) => byTask.get(taskId)?.get(id),

    list(taskId, pageSize, pageToken) {
      if (!Number.isInteger(pageSize) || pageSize < 0 || pageSize > MAX_PAGE_SIZE) {
        throw new InvalidArgumentError('pageSize must be between 1 and 100');
      }
      const size = pageSize || DEFAULT_PAGE_SIZE;
      const after = pageToken === '' ? undefined : decodeToken(pageToken);
      const ids = [...(byTask.get(taskId)?.keys() ?? [])].sort();
      const start = after === undefined ? 0 : ids.filter((id) => id <= after).length;
      const page = ids.slice(start, start + size);
      const last = page.at(-1);
      return {
        configs: page.map((id) => byTask.get(taskId)?.get(id) as TaskPushNotificationConfig),
        nextPageToken: last !== undefined && start + size < ids.length ? encodeToken(last) : '',
      };
    },

    delete(taskId, id) {
      const configs = byTask.get(taskId);
      configs?.delete(id);
      if (configs?.size === 0) byTask.delete(taskId);
    },

    forget(taskId) {
      byTask.delete(taskId);
    },
  };
}

function encodeToken(id: string): string {
  return TOKEN_PREFIX + Buffer.from(id).toString('base64url');
}

function decodeToken(token: string): string {
  const bytes = Buffer.from(token.slice(TOKEN_PREFIX.length), 'base64url');
  const id = bytes.toString();
  if (id === '' || encodeToken(id) !== token) throw new InvalidArgumentError('Invalid page token');
  return id;
}
