import type { DomainClock } from '../concurrency/clock.js';
import type { ProbeRoute } from '../probe/probe-time.js';
import type { RedirectEntry } from '../report/options.js';

/** Options of the probes. */
export interface ProbeOptions {
  /**
   * Time limit of one connection and its response, in milliseconds.
   *
   * @default 5000
   */
  timeoutMs?: number | undefined;
  clock?: DomainClock | undefined;
  /**
   * Returns at least 0 and less than 1, to choose a path that no site has.
   *
   * @default Math.random
   */
  random?: (() => number) | undefined;
  /** The project's domains in ASCII. Redirects to other domains are reported. Leave it out if they are unknown. */
  attached?: readonly string[] | undefined;
  /**
   * Returns where to connect instead of an address and port, such as a server of a test; `undefined`: to the address
   * itself. An address with a route is probed even if it is reserved. Reports name the original address.
   *
   * @default no routes
   */
  route?: ProbeRoute | undefined;
  /**
   * All redirect entries of the project, to find loops and duplicates. Only the entries of a check are probed and
   * reported.
   *
   * @default the entries of the check
   */
  redirects?: readonly RedirectEntry[] | undefined;
}
