/** Push-notification configurations as one caller may use them: those of a task that it may not access are not there. */
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { Dispatcher } from '../dispatcher/dispatcher.ts';
import { InvalidArgumentError, TaskNotFoundError } from '../task/errors.ts';
import type { PushConfigPage, PushConfigs } from './push-configs.ts';

/** The operations of one caller; each rejects with the `not-found` of a missing task before anything else shows (AUTH-9). */
export interface CallerPushConfigs {
  /** Rejects with `invalid-argument` for a configuration without a URL. */
  create(config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig>;
  /** Rejects with `not-found` where the task has no such configuration. */
  get(taskId: string, id: string): Promise<TaskPushNotificationConfig>;
  list(taskId: string, pageSize: number, pageToken: string): Promise<PushConfigPage>;
  delete(taskId: string, id: string): Promise<void>;
}

/** Puts the dispatcher's door before the configurations. */
export function pushConfigsOf(dispatcher: Dispatcher, pushConfigs: PushConfigs, caller: string): CallerPushConfigs {
  return {
    async create(config) {
      if (!config.url) throw new InvalidArgumentError('url is required');
      await dispatcher.get(caller, config.taskId);
      return pushConfigs.set(config.taskId, config);
    },
    async get(taskId, id) {
      await dispatcher.get(caller, taskId);
      const config = pushConfigs.get(taskId, id);
      if (config === undefined) throw new TaskNotFoundError();
      return config;
    },
    async list(taskId, pageSize, pageToken) {
      await dispatcher.get(caller, taskId);
      return pushConfigs.list(taskId, pageSize, pageToken);
    },
    async delete(taskId, id) {
      await dispatcher.get(caller, taskId);
      pushConfigs.delete(taskId, id);
    },
  };
}
