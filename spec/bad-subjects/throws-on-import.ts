/** A module that fails while it is loaded. */
throw new Error('no such configuration file');
