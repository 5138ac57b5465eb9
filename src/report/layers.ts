/** Which layer of a stack breaks a program first, in words. */
import type { LayerVerdict } from '../suite/certificate.ts';

/**
 * Names the lowest layer at which the program breaks a rule (of transports every one), what the layers beneath it do,
 * and what had to be left out there. One line.
 */
export function renderLayers(layers: readonly LayerVerdict[]): string {
  const first = layers.find(({ breaks }) => breaks.length > 0);
  if (first === undefined) return `only the whole breaks it: ${holding(layers)}`;
  const upTo = layers.slice(0, layers.findLastIndex(({ level }) => level === first.level) + 1);
  const broken = upTo.filter(({ breaks }) => breaks.length > 0);
  const rules = [...new Set(broken.flatMap(({ breaks }) => breaks))];
  const names = listed(broken.map(({ layer }) => layer));
  const others = upTo.filter(({ breaks }) => breaks.length === 0);
  const place = `${names} ${broken.length === 1 ? 'is' : 'are'} the first to break it (${rules.join(', ')})`;
  return others.length === 0 ? place : `${place}; ${holding(others)}`;
}

function holding(layers: readonly LayerVerdict[]): string {
  return layers
    .map(
      ({ layer, leftOut }) =>
        `${layer} alone holds${leftOut === 0 ? '' : ` without ${steps(leftOut)} it has no means for`}`,
    )
    .join(', ');
}

function steps(count: number): string {
  return count === 1 ? 'a step' : `${count} steps`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
