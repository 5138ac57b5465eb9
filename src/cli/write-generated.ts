/** `npm run -s rules-table`: writes what is generated from the sources; tests fail where it has drifted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseKillMatrix, withKillSummary } from '../report/kill-matrix.ts';
import { withRulesTable } from '../report/rules-table.ts';
import { certificateSchema } from '../suite/certificate-shape.ts';

const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withRulesTable(readFileSync(readme, 'utf8')));

const sample = new URL('../../reports/sample-kill-matrix.json', import.meta.url);
const matrix = parseKillMatrix(readFileSync(sample, 'utf8'));
if (matrix !== undefined) writeFileSync(readme, withKillSummary(readFileSync(readme, 'utf8'), matrix));

const schema = new URL('../../spec/certificate.schema.json', import.meta.url);
writeFileSync(schema, `${JSON.stringify(certificateSchema, undefined, 2)}\n`);
