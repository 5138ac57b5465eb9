/** How often a rule must have been able to fail before its silence counts as a pass. */

/** The floor of most rules: a tenth of what the thinnest rule of a default run is met with. */
const usual = 20;

/** Rules whose situation is rarer, or whose subjects are slower to bring into it. */
const special: Readonly<Record<string, number>> = {
  // Every page of every walk is a witness: few of them mean that the lists were all but empty.
  'WALK-1': 200,
  'WALK-3': 200,
  'WALK-4': 200,
  'TIME-1': 10,
  'TIME-5': 10,
  'WALK-7': 10,
  'COST-1': 10,
  'COST-2': 10,
  'COUNT-2': 10,
  'AUTH-4': 10,
};

/** The least number of witnesses with which a rule can pass. */
export function floorOf(rule: string): number {
  return special[rule] ?? usual;
}
