/** Cost certificates as JSON, to a file and back. */
import { UsageError } from '../subject/usage-error.ts';
import type { CostCertificate } from '../suite/cost-certificate.ts';
import { costCertificateShape } from '../suite/cost-shape.ts';
import { parseJson, readShape } from '../suite/read-json.ts';

const REMEDY = 'give a file that "cost --json" wrote';

/** Formats what one run wrote: a single certificate as it is, several as an array of them. Ends with a newline. */
export function formatCostCertificates(certificates: readonly CostCertificate[]): string {
  const [first, ...others] = certificates;
  const whole = first !== undefined && others.length === 0 ? first : certificates;
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

/**
 * Parses what `formatCostCertificates` wrote. `where` names the text in errors. Throws a `UsageError` (status 3) for
 * what is no JSON, no cost certificate, of another version, or malformed; it names the field.
 */
export function parseCostCertificates(text: string, where: string): readonly CostCertificate[] {
  const value = parseJson(text, where, REMEDY);
  if (!Array.isArray(value)) return [readCertificate(value, where)];
  if (value.length === 0) throw new UsageError({ where, problem: 'holds no certificate', remedy: REMEDY });
  return value.map((each, at) => readCertificate(each, `${where}: [${at}]`));
}

function readCertificate(value: unknown, where: string): CostCertificate {
  const { format, version } = (value ?? {}) as { readonly format?: unknown; readonly version?: unknown };
  if (format === 'pagecheck-certificate')
    throw new UsageError({ where, problem: 'is a certificate of rules, not of costs', remedy: REMEDY });
  if (format !== 'pagecheck-cost-certificate')
    throw new UsageError({ where, problem: 'is no cost certificate', remedy: REMEDY });
  if (version !== 1)
    throw new UsageError({
      where,
      problem: `has format version ${JSON.stringify(version)}, and this pagecheck reads version 1`,
      remedy: 'use the pagecheck that wrote it, or run "cost --json" again',
    });
  return readShape(value, costCertificateShape, where, REMEDY);
}
