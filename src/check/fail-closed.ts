/** AUTH-5: where the store's boundaries or the policy's answers are unsound, a call gives an error, no data, no detail. */
import type { Entry } from '../history/history.ts';
import { traceOf } from './beneath-trace.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';

/** Words of the exceptions that the harness throws beneath a dispatcher. */
export const leaked: RegExp = /hunter2|vault|policy\.ts/;

export const failClosed: Check = {
  rules: ['AUTH-5'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const entry of world.entries) {
      const trace = traceOf(entry);
      if (trace?.broken === undefined) continue;
      tally.witness('AUTH-5');
      const saw = opened(entry);
      if (saw === undefined) continue;
      const earlier = world.entries.filter(({ index }) => index < entry.index).map(({ index }) => index);
      tally.fail(
        finding(world, {
          rule: 'AUTH-5',
          let: earlier,
          then: [entry.index],
          saw: `what lies beneath was unsound (${trace.broken}), and ${entry.operation.op} ${saw}`,
          allowed: 'it fails with an error that holds neither data nor detail',
        }),
      );
    }
    return tally.reports();
  },
};

/** How an answer is more than an error; undefined where it is not. */
function opened({ result }: Entry): string | undefined {
  switch (result.kind) {
    case 'page':
      return `gave ${result.items.length} tasks`;
    case 'read':
      return result.contents === undefined ? undefined : 'gave the task';
    case 'written':
    case 'done':
      return 'succeeded';
    case 'push-page':
      return `gave ${result.configs.length} configurations`;
    case 'raw':
      if (result.code === undefined) return 'succeeded';
      return leaked.test(result.body) ? `told what went wrong: ${result.message}` : undefined;
    case 'error': {
      const text = `${result.message} ${result.detail ?? ''}`;
      return leaked.test(text) ? `told what went wrong: ${result.message}` : undefined;
    }
    default:
      return undefined;
  }
}
