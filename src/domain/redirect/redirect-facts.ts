import type { SeenCertificate } from '../certificate/read-certificate.js';
import type { RedirectEntry } from '../report/options.js';
import type { ProbeFailure } from '../probe/probe-failure.js';

/** What one redirect entry was seen to do. */
export interface RedirectFacts {
  /** Hosts in ASCII. */
  entry: RedirectEntry;
  /** Milliseconds since the epoch. */
  checkedAt: number;
  /** Path and query that were asked for, such as `/petstore-check/4f?probe=4f`. */
  path: string;
  ports: ProbePorts;
  /** From `http` and from `https`. */
  walks: readonly RedirectWalk[];
}

export interface ProbePorts {
  http: number;
  https: number;
}

/** One visitor's way from `from` on, up to a few hops. */
export interface RedirectWalk {
  scheme: 'http' | 'https';
  hops: readonly RedirectHop[];
}

/** One request of a walk, and what came of it. */
export interface RedirectHop {
  url: string;
  /** Where it was connected to; absent where nowhere. */
  endpoint?: { address: string; port: number };
  response: HttpResponse | ProbeFailure;
  /** Of an https host, where it came so far. */
  certificate?: SeenCertificate;
}

/** The head of an HTTP answer. Texts as they came. */
export interface HttpResponse {
  kind: 'response';
  status: number;
  location: string | undefined;
}
