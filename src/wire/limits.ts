/** What one agent takes on: every bound of the wire in one place. */

/** Bounds of an agent; each keeps one caller from costing the others their service. */
export interface WireLimits {
  /** The largest request body or gRPC message, in bytes: room for the longest page token, 1 MiB and 24 characters. */
  readonly bodyBytes: number;
  /**
   * The largest block of HTTP headers with the request line, in bytes: over HTTP+JSON ids and page tokens travel there,
   * a context id of 65,536 bytes as three characters a byte, and the token of an id as long beside it.
   */
  readonly headerBytes: number;
  /** Requests that are worked on at once, all transports together; one more is turned away. */
  readonly inFlight: number;
  /** Connections that are kept open at once, on the HTTP port and on that of gRPC each; one more is closed. */
  readonly connections: number;
  /** How long a request may take, from its first byte and again in its handling, in milliseconds. */
  readonly requestMs: number;
  /** How deep the objects and lists of a request may be nested. */
  readonly depth: number;
  /** Push configurations that are kept for one task. */
  readonly pushConfigsPerTask: number;
}

/** The bounds of an agent that names none. */
export const defaultLimits: WireLimits = {
  bodyBytes: 4 * 1024 * 1024,
  headerBytes: 320 * 1024,
  inFlight: 512,
  connections: 4_096,
  requestMs: 30_000,
  depth: 64,
  pushConfigsPerTask: 1_000,
};
