/** Runs one part of the benchmark in a process of its own: `part-process.ts NAME [quick]`, forked, answers with its table. */
import { parts } from './parts.ts';

const [name, quick] = process.argv.slice(2);
const part = parts.find((one) => one.name === name);
if (part === undefined || process.send === undefined) throw new Error('This is for bench/main.ts to fork');

// Nobody waits for this any more: also what it started ends with it.
process.once('disconnect', () => process.exit());
const table = await part.run({
  quick: quick === 'quick',
  progress: (line) => process.stderr.write(`… ${line}\n`),
});
process.send(table, () => process.disconnect());
