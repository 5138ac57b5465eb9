/** A module that waits, while it is loaded, for what never comes. */
await new Promise<never>(() => {});
