/** Short names for ids in a picture. */
import { quote } from '../quote.ts';

const longest = 18;

/**
 * Gives each id a name of at most 18 characters in printable ASCII and `…`; ids whose names would be alike get a number,
 * so that two tasks never look like one.
 */
export function nameTasks(ids: Iterable<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const id of ids) {
    if (names.has(id)) continue;
    const short = shorten(id);
    let name = short;
    for (let number = 2; taken.has(name); number++) name = `${short} (${number})`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

function shorten(id: string): string {
  if (id === '') return '(empty id)';
  const plain = (text: string): string => quote(text).slice(1, -1);
  const shown = id.length <= 2 * longest ? plain(id) : `${plain(id.slice(0, longest))}${plain(id.slice(-longest))}`;
  return shown.length <= longest && id.length <= longest ? shown : `${shown.slice(0, 10)}…${shown.slice(-6)}`;
}
