/** How a counter grows with the number of tasks: decided by bounds that it keeps, never by a fitted curve alone. */
import type { CostPoint, Growth } from './cost-certificate.ts';

/** A class, and why it is that one. */
export interface GrowthVerdict {
  readonly growth: Growth | 'inconclusive';
  readonly decidedBy: string;
}

/**
 * A class holds where, between any two sizes, the counter grows by no more than the class does: times `margin`, plus
 * `slack`. The margin of log n is wide, since a correct balanced structure varies by a factor of two (nodes that split,
 * towers of a skip list), and a linear cost grows at least eightfold over the sizes that are compared. Those of the
 * others are narrow: over two decades n log n grows 1.67 times as much as n.
 */
interface Bound {
  readonly growth: Growth;
  readonly of: (n: number) => number;
  readonly margin: number;
  readonly slack: number;
}

const bounds: readonly Bound[] = [
  { growth: 'constant', of: () => 1, margin: 1.1, slack: 2 },
  { growth: 'log n', of: Math.log2, margin: 2, slack: 16 },
  { growth: 'linear', of: (n) => n, margin: 1.25, slack: 16 },
  { growth: 'n log n', of: (n) => n * Math.log2(n), margin: 1.25, slack: 16 },
];

/** Sizes nearer to each other than this tell no class: log n and n differ too little. */
export const leastSizeRatio = 8;

/** Gives the least class whose bound the points keep. Points ascend in `n`; `n` is at least 2. */
export function growthOf(points: readonly CostPoint[]): GrowthVerdict {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.n < leastSizeRatio * first.n) {
    const sizes = points.length === 1 ? 'one number of tasks tells' : 'numbers of tasks so near to each other tell';
    return { growth: 'inconclusive', decidedBy: `${sizes} no growth` };
  }
  let excess: string | undefined;
  for (const bound of bounds) {
    const broken = excessOf(points, bound);
    if (broken === undefined)
      return { growth: bound.growth, decidedBy: excess ?? `${sayPoint(first)}, ${sayPoint(last)}` };
    excess = broken;
  }
  return { growth: 'worse', decidedBy: excess ?? '' };
}

/** Says whether one class grows no faster than another. */
export function isWithin(growth: Growth, most: Growth): boolean {
  const order: readonly Growth[] = ['constant', 'log n', 'linear', 'n log n', 'worse'];
  return order.indexOf(growth) <= order.indexOf(most);
}

/** The pair of sizes that breaks a bound by most. */
function excessOf(points: readonly CostPoint[], { growth, of, margin, slack }: Bound): string | undefined {
  let worst: { readonly share: number; readonly text: string } | undefined;
  for (const [at, small] of points.entries()) {
    for (const large of points.slice(at + 1)) {
      const allowed = margin * small.value * (of(large.n) / of(small.n)) + slack;
      const share = large.value / allowed;
      if (share <= 1 || share <= (worst?.share ?? 0)) continue;
      worst = { share, text: `${sayPoint(small)}, ${sayPoint(large)}: ${growth} allows ${sayNumber(allowed)}` };
    }
  }
  return worst?.text;
}

function sayPoint({ n, value }: CostPoint): string {
  return `${sayNumber(value)} at n = ${sayNumber(n)}`;
}

/** Writes a number with its thousands set off, and one decimal where it is small and not whole. */
export function sayNumber(value: number): string {
  const [whole = '', fraction] = value.toFixed(Number.isInteger(value) || value >= 100 ? 0 : 1).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined || fraction === '0' ? grouped : `${grouped}.${fraction}`;
}
