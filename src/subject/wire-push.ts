/** Push-notification configurations over the wire, as the harness asks for them. */
import type { RawFields, RawMethod, RawResult } from '../wire/raw-call.ts';
import type { Transport } from '../wire/transport-error.ts';
import { wireError } from '../wire/wire-error.ts';
import type { CallContext, PushMethods } from './subject.ts';

/** Makes one call over the transport whose turn it is. */
export type PushCall = (
  method: RawMethod,
  fields: RawFields,
  call: CallContext,
) => Promise<RawResult & { readonly transport: Transport }>;

/** Where every configuration of a harness points; nothing is sent there. */
export const PUSH_URL = 'https://example.invalid/hook';

/** Gives the methods; an error answer rejects with a `WireError`. */
export function wirePush(send: PushCall): PushMethods {
  const ask = async (method: RawMethod, fields: RawFields, call: CallContext): Promise<unknown> => {
    const { transport, code, message = '', status, body } = await send(method, fields, call);
    if (code !== undefined) throw wireError(transport, code, message, status, JSON.parse(body));
    return JSON.parse(body);
  };
  return {
    async set(taskId, id, call) {
      await ask('CreateTaskPushNotificationConfig', { taskId, id, url: PUSH_URL }, call);
    },
    async get(taskId, id, call) {
      await ask('GetTaskPushNotificationConfig', { taskId, id }, call);
    },
    async list(taskId, page, call) {
      const answer = await ask('ListTaskPushNotificationConfigs', { taskId, ...page }, call);
      const { configs, nextPageToken } = answer as { configs?: readonly { id: string }[]; nextPageToken?: string };
      return { configs: (configs ?? []).map(({ id }) => id), nextPageToken: nextPageToken ?? '' };
    },
    async delete(taskId, id, call) {
      await ask('DeleteTaskPushNotificationConfig', { taskId, id }, call);
    },
  };
}
