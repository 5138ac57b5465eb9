/** What is measured: one factor varied at a time around a first page of 50, and the shapes in which a cost may hide. */
import type { CostSetting, CostShape } from './cost-certificate.ts';

/** A list setting: the factors that every list has. */
export type ListSetting = CostSetting & { readonly depth: number; readonly pageSize: number; readonly total: boolean };

/** The page around which the factors are varied. */
function basePage(shape: CostShape): ListSetting {
  return { operation: 'list', shape, depth: 0, pageSize: 50, total: false };
}

/**
 * Gives the lists to measure in one shape. In the plain one every factor is varied, in the others the depth, since that
 * is where ties and dead entries tell. Page sizes ascend: what is held at most is then known of each. Callers who may
 * access only some of the tasks come last.
 */
export function listSettings(shape: CostShape, { callers }: { readonly callers: boolean }): readonly ListSetting[] {
  const base = basePage(shape);
  const deep = [0, 0.5, 0.9].map((depth) => ({ ...base, depth }));
  const context: ListSetting = { ...base, filter: 'context', depth: 0.5 };
  if (shape !== 'in order') return [...deep, context];
  return [
    { ...base, pageSize: 1 },
    { ...base, pageSize: 10 },
    ...deep,
    { ...base, pageSize: 100 },
    { ...base, filter: 'context' },
    context,
    { ...base, filter: 'status' },
    { ...base, total: true },
    { ...base, total: true, depth: 0.5 },
    { ...base, total: true, filter: 'status' },
    ...(callers ? accessShares.map((access) => ({ ...base, access })) : []),
  ];
}

/** The shares of the tasks that a caller may access. */
export const accessShares: readonly number[] = [1, 0.1, 0.001];

/** The page that is read between two writes. */
export function interleavedPage(): ListSetting {
  return basePage('interleaved');
}

/** Gives a text that tells one setting from another, whatever the order of its fields. */
export function settingKey(setting: CostSetting): string {
  const { operation, shape, depth, pageSize, filter, total, access, transport } = setting;
  return [operation, shape, depth, pageSize, filter, total, access, transport].map((each) => String(each)).join(' ');
}

/** Says a setting in words, without its shape: `page of 50 at 90 %, one context, with total`. */
export function saySetting({ operation, depth, pageSize, filter, total, access, transport }: CostSetting): string {
  if (operation !== 'list') return operation;
  const parts = [
    depth === 0 || depth === undefined ? `first page of ${pageSize}` : `page of ${pageSize} at ${depth * 100} %`,
    ...(filter === undefined ? [] : [filter === 'context' ? 'one context' : 'one status']),
    ...(total === true ? ['with total'] : []),
    ...(access === undefined ? [] : [`${access * 100} % accessible`]),
    ...(transport === undefined ? [] : [`over ${transport}`]),
  ];
  return parts.join(', ');
}
