/** Certificates as JSON, to a file and back. */

import { UsageError } from '../subject/usage-error.ts';
import type { Certificate } from '../suite/certificate.ts';
import { certificateShape } from '../suite/certificate-shape.ts';
import { parseJson, readShape } from '../suite/read-json.ts';

const REMEDY = 'give a file that "certify --json" wrote';

/** Formats a certificate as indented JSON that ends with a newline. */
export function formatCertificate(certificate: Certificate): string {
  return `${JSON.stringify(certificate, undefined, 2)}\n`;
}

/** Formats what one run wrote: a single certificate as it is, several as an array of them. */
export function formatCertificates(certificates: readonly Certificate[]): string {
  const [first, ...others] = certificates;
  if (first !== undefined && others.length === 0) return formatCertificate(first);
  return `${JSON.stringify(certificates, undefined, 2)}\n`;
}

/**
 * Parses a certificate. `where` names the text in errors. Throws a `UsageError` (status 3) that names the field at fault:
 * not JSON, another format, a newer version, a missing or mistyped field, a rule that occurs twice.
 */
export function parseCertificate(text: string, where = 'the certificate'): Certificate {
  return readCertificate(parseJson(text, where, REMEDY), where);
}

/** Parses what `formatCertificates` wrote: one certificate or an array of at least one. Errors as `parseCertificate`. */
export function parseCertificates(text: string, where = 'the certificates'): readonly Certificate[] {
  const value = parseJson(text, where, REMEDY);
  if (!Array.isArray(value)) return [readCertificate(value, where)];
  if (value.length === 0) throw new UsageError({ where, problem: 'holds no certificate', remedy: REMEDY });
  return value.map((each, at) => readCertificate(each, `${where}: [${at}]`));
}

function readCertificate(value: unknown, where: string): Certificate {
  refuseOtherFormats(value, where);
  const certificate = readShape(value, certificateShape, where, REMEDY);
  const seen = new Set<string>();
  for (const [at, { rule }] of certificate.rules.entries()) {
    if (seen.has(rule)) {
      const problem = `is malformed, rules[${at}].rule names ${JSON.stringify(rule)} a second time`;
      throw new UsageError({ where, problem, remedy: REMEDY });
    }
    seen.add(rule);
  }
  return certificate;
}

/** Another format or a later version is told as such, before its fields are found wanting. */
function refuseOtherFormats(value: unknown, where: string): void {
  const { format, version } = (value ?? {}) as { readonly format?: unknown; readonly version?: unknown };
  if (format !== 'pagecheck-certificate') throw new UsageError({ where, problem: 'is no certificate', remedy: REMEDY });
  if (typeof version === 'number' && version !== 1) {
    const remedy = 'use the pagecheck that wrote it, or run "certify --json" again';
    throw new UsageError({
      where,
      problem: `has format version ${version}, and this pagecheck reads version 1`,
      remedy,
    });
  }
}
