/** How many requests are worked on at once, over all transports of an agent. */

/** Counts the open requests. */
export interface BusyGate {
  /** Takes a place; undefined where none is free, else what gives it back, to be called once or more. */
  enter(): (() => void) | undefined;
}

/** Makes a gate of `places`. A request that finds none is refused at once: a queue would only grow under load. */
export function createBusyGate(places: number): BusyGate {
  let open = 0;
  return {
    enter() {
      if (open >= places) return undefined;
      open += 1;
      let left = false;
      return () => {
        if (!left) open -= 1;
        left = true;
      };
    },
  };
}
