/** A history of overlapping operations as one sequence of events. */
import type { Entry } from '../history/history.ts';

/** Takes the events of a history in the order in which they happened. */
export interface EventSink {
  called(entry: Entry): void;
  returned(entry: Entry): void;
}

/** Gives every call and return to the sink, in order of instants. Linear where instants are dense, as the runner's are. */
export function replayEvents(entries: readonly Entry[], sink: EventSink): void {
  const last = entries.at(-1)?.return ?? -1;
  if (last < 8 * entries.length + 64) {
    // A slot an instant: index + 1 where the entry is called, its negative where it returns. Filled no further than the
    // next event needs, so that what is read here is still at hand when its turn comes.
    const slots = new Int32Array(last + 1);
    let filled = 0;
    for (let instant = 0; instant <= last; instant++) {
      while (slots[instant] === 0 && filled < entries.length) {
        const entry = entries[filled++] as Entry;
        slots[entry.call] = entry.index + 1;
        slots[entry.return] = -entry.index - 1;
      }
      const slot = slots[instant] as number;
      if (slot > 0) sink.called(entries[slot - 1] as Entry);
      else if (slot < 0) sink.returned(entries[-slot - 1] as Entry);
    }
    return;
  }
  const events = entries.flatMap((entry) => [
    { at: entry.call, entry, call: true },
    { at: entry.return, entry, call: false },
  ]);
  for (const { entry, call } of events.sort((a, b) => a.at - b.at)) {
    if (call) sink.called(entry);
    else sink.returned(entry);
  }
}
