/**
 * A process of its own that outlives ours: it waits on a pipe from us, and when the pipe ends without a `done`, because
 * we were killed with a signal that no handler sees, it ends the server and removes its folder.
 * Arguments: the folder. Lines on the pipe: `pid N` for the process that now works in the folder, `done` at the end.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endServer } from './postgres-processes.ts';

const folder = process.argv[2];
let pid = 0;
let done = false;

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [word, value] = line.split(' ');
  if (word === 'pid') pid = Number(value);
  if (word === 'done') done = true;
});
lines.on('close', () => {
  if (done || folder === undefined) return;
  endServer(folder, pid > 0 ? pid : undefined);
  // A process that is being killed can still write into the folder while it is emptied.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});
// A terminal's Ctrl-C or hang-up is for the program that we watch, not for us.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
