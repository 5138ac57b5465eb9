/** `npm run -s rules-table`: writes what is generated from the contract; tests fail where it has drifted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withRulesTable } from '../report/rules-table.ts';

const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withRulesTable(readFileSync(readme, 'utf8')));
