/** Stands between a dispatcher and what it stands on: notes what is asked there, and answers as a plan says. */
import type { BeneathCall } from '../history/history.ts';
import type { BeneathPlan, PageFault, PolicyFault } from '../history/program.ts';
import type { Beneath, Interceptor } from '../subject/subject.ts';
import type { StoredTask, StoreListPage, Task, TaskCursor } from '../task/task.ts';
import { contentsOf } from './content.ts';

/** What an exception beneath the dispatcher says: nothing of it may reach a caller. */
export const secret = "SELECT secret FROM vault WHERE key = 'hunter2' -- at /srv/pagecheck/policy.ts:7";

/** How many times the time limit a late answer takes. */
const lateness = 6;

/** Carries out plans beneath one open store. */
export class Underneath {
  readonly #beneath: Beneath;
  readonly #perform: (plan: Extract<BeneathPlan, { at: 'moment' }>) => Promise<void>;
  #plan: BeneathPlan = { at: 'nothing' };
  #calls: BeneathCall[] | undefined;
  #batch = 0;
  #read = false;
  #failed = false;
  #fired = false;
  #first: StoreListPage | undefined;
  /** Steps that are about to happen. */
  #waiting: Promise<void> | undefined;

  constructor(beneath: Beneath, perform: (plan: Extract<BeneathPlan, { at: 'moment' }>) => Promise<void>) {
    this.#beneath = beneath;
    this.#perform = perform;
  }

  /** Takes up a plan in place of the one before. */
  take(plan: BeneathPlan): void {
    this.#plan = plan;
    this.#fired = false;
    if (plan.at === 'watch' && plan.projection !== undefined) this.#beneath.setProjection(plan.projection);
    this.#beneath.intercept(plan.at === 'nothing' ? undefined : this.#interceptor());
  }

  /** Whether this plan can be carried out here: nothing is late where the dispatcher waits for ever. */
  canTake(plan: BeneathPlan): boolean {
    return !(plan.at === 'policy' && plan.how === 'late') || this.#beneath.policyLimitMs !== undefined;
  }

  /** Notes the calls of one operation; gives them when it has returned. Undefined where nobody watches. */
  async during<T>(operation: () => Promise<T>): Promise<{ value: T; calls: readonly BeneathCall[] | undefined }> {
    if (this.#plan.at === 'nothing') return { value: await operation(), calls: undefined };
    const calls: BeneathCall[] = [];
    this.#calls = calls;
    this.#batch = 0;
    this.#read = false;
    this.#failed = false;
    this.#first = undefined;
    try {
      return { value: await operation(), calls };
    } finally {
      this.#calls = undefined;
    }
  }

  /**
   * Lets the plan's steps happen. A dispatcher may ask for several tasks at once: what it asks in the same turn waits, and
   * is answered as things stand afterwards. Calls of the steps themselves are nobody's.
   */
  async #moment(plan: Extract<BeneathPlan, { at: 'moment' }>): Promise<void> {
    this.#fired = true;
    const happening = (async () => {
      await new Promise((resolve) => setImmediate(resolve));
      this.#waiting = undefined;
      const calls = this.#calls;
      this.#calls = undefined;
      await this.#perform(plan);
      this.#calls = calls;
    })();
    this.#waiting = happening;
    await happening;
  }

  #interceptor(): Interceptor {
    return {
      list: async (request, next) => {
        if (this.#waiting !== undefined) await this.#waiting;
        const calls = this.#calls;
        if (calls === undefined) return next(request);
        this.#batch++;
        const plan = this.#plan;
        if (plan.at === 'moment' && plan.before === 'batch' && this.#batch === (plan.batch ?? 1) && !this.#fired)
          await this.#moment(plan);
        const throws = plan.at === 'store' && plan.on === 'list';
        const asked =
          plan.at === 'short' ? { ...request, pageSize: Math.min(plan.size, request.pageSize ?? 50) } : request;
        const page = throws ? undefined : await next(asked);
        const spoilt = page === undefined ? undefined : this.#spoil(page);
        calls.push({
          call: 'list',
          pageSize: request.pageSize,
          total: request.includeTotalSize !== false,
          projection: request.projection ?? 'full',
          artifacts: request.includeArtifacts === true,
          ids: page?.tasks.map((task) => task.id) ?? [],
          ...(throws ? { broken: 'throws' } : spoilt === undefined ? {} : { broken: spoilt.how }),
        });
        if (page === undefined) throw new Error(secret);
        return spoilt?.page ?? page;
      },
      get: async (taskId, projection, next) => {
        if (this.#waiting !== undefined) await this.#waiting;
        const calls = this.#calls;
        if (calls === undefined) return next();
        const plan = this.#plan;
        if (plan.at === 'moment' && plan.before === 'final-read' && this.#batch > 0 && !this.#fired)
          await this.#moment(plan);
        this.#read = true;
        const throws = plan.at === 'store' && plan.on === 'get';
        const stored: StoredTask | undefined = throws ? undefined : await next();
        calls.push({
          call: 'get',
          id: taskId,
          projection: projection ?? 'full',
          ...(stored === undefined ? {} : { contents: contentsOf(stored.task) }),
          ...(throws ? { broken: 'throws' } : {}),
        });
        if (throws) throw new Error(secret);
        return stored;
      },
      scope: (caller, next) => {
        if (this.#calls === undefined) return next();
        const fault = this.#faultAt('scope');
        this.#calls.push({ call: 'scope', caller, ...(fault === undefined ? {} : { broken: fault }) });
        return fault === undefined ? next() : this.#answer(fault, next);
      },
      access: (caller, task, next) => {
        if (this.#calls === undefined) return next();
        const fault = this.#faultAt(this.#read ? 'final' : 'scan');
        const contents = contentsOf(task);
        if (fault !== undefined) {
          this.#calls.push({ call: 'access', caller, contents, broken: fault });
          return this.#answer(fault, next);
        }
        const allowed = next();
        this.#calls.push({ call: 'access', caller, contents, ...(typeof allowed === 'boolean' ? { allowed } : {}) });
        return allowed;
      },
    };
  }

  /** The fault that the policy shows at this question: once a call. */
  #faultAt(on: 'scope' | 'scan' | 'final'): PolicyFault | undefined {
    const plan = this.#plan;
    if (plan.at !== 'policy' || plan.on !== on || this.#failed) return undefined;
    this.#failed = true;
    return plan.how;
  }

  #answer(fault: PolicyFault, next: () => unknown): unknown {
    switch (fault) {
      case 'throws':
        throw new Error(secret);
      case 'rejects':
        return Promise.reject(new Error(secret));
      case 'late': {
        const waitMs = (this.#beneath.policyLimitMs ?? 0) * lateness;
        return new Promise((resolve) => setTimeout(() => resolve(next()), waitMs));
      }
      case 'undefined':
        return undefined;
      case 'null':
        return null;
      case 'number':
        return 1;
      case 'text':
        return 'true';
      case 'object':
        return {};
      case 'promised number':
        return Promise.resolve(1);
    }
  }

  #spoil(page: StoreListPage): { page: StoreListPage; how: string } | undefined {
    const plan = this.#plan;
    this.#first ??= page;
    if (plan.at !== 'page' || this.#batch !== plan.batch) return undefined;
    const spoilt = unsound(page, plan.how, this.#first);
    return spoilt === undefined ? undefined : { page: spoilt, how: plan.how };
  }
}

/** Makes a page unsound; undefined where this page is too short for it. */
function unsound(page: StoreListPage, how: PageFault, first: StoreListPage | undefined): StoreListPage | undefined {
  const { tasks, taskCursors } = page;
  const size = tasks.length;
  if (size === 0 || (size === 1 && (how === 'shifted' || how === 'repeated' || how === 'reversed'))) return undefined;
  switch (how) {
    case 'absent': {
      const { taskCursors: _, ...rest } = page;
      return rest as unknown as StoreListPage;
    }
    case 'fewer':
      return { ...page, taskCursors: taskCursors.slice(0, -1) };
    case 'shifted':
      return { ...page, taskCursors: [...taskCursors.slice(1), taskCursors[0] as TaskCursor] };
    case 'repeated':
      return {
        ...page,
        tasks: [tasks[0] as Task, ...tasks.slice(0, -1)],
        taskCursors: [taskCursors[0] as TaskCursor, ...taskCursors.slice(0, -1)],
      };
    case 'reversed':
      return { ...page, tasks: [...tasks].reverse(), taskCursors: [...taskCursors].reverse() };
    case 'foreign':
      return {
        ...page,
        taskCursors: [...taskCursors.slice(0, -1), { ...(taskCursors.at(-1) as TaskCursor), id: 'another-task' }],
      };
    case 'rewound':
      return first === undefined || first.tasks.length === 0 ? undefined : { ...first };
  }
}
