/** The access policy of the reference agent: a task is its creator's. */
import type { AccessPolicy } from '../dispatcher/policy.ts';

/** The metadata key under which the agent notes who created a task. */
export const OWNER_KEY = 'owner';

/** Lets a caller access the tasks that it created, and no others. A task without an owner is nobody's. */
export const ownerPolicy: AccessPolicy = {
  projection: 'light',
  scopeTaskList: () => ({ contextIds: 'all' }),
  canAccessTask: (caller, { metadata }) => metadata?.[OWNER_KEY] === caller,
};
