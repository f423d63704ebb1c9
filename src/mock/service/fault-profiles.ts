import { suggest } from '../../options/suggest.js';
import { parseJson } from '../../schema/json.js';
import { checkFault, type Fault, type FaultAction } from './fault.js';

/** A parameter of a named fault. */
export interface FaultParameter {
  name: string;
  /** What it sets, with its unit. */
  summary: string;
  /** Absent if the fault does not set it. */
  default?: number | string;
}

/** A named fault, for `parseFault`. */
export interface FaultProfile {
  name: string;
  summary: string;
  /** Its own parameters, then those of every fault. */
  parameters: readonly FaultParameter[];
  /** An input of `parseFault`. */
  example: string;
}

interface Definition {
  summary: string;
  example: string;
  own?: readonly FaultParameter[];
  shared?: Readonly<Pick<Fault, SharedName>>;
  /**
   * Without it, the name is the action.
   *
   * @param value of the first own parameter.
   */
  actions?(value: number, given: Parameters): readonly FaultAction[];
}

type SharedName = 'route' | 'query' | 'body' | 'skip' | 'times' | 'probability';

const RETRY_AFTER: FaultParameter = {
  name: 'retryAfter',
  summary: 'Header Retry-After: 30, -5, date+30s, a text such as soon, or two values such as 5;10',
};

function withDefault(name: string, fallback: number, summary: string): FaultParameter {
  return { name, summary, default: fallback };
}

function statusOr(fallback: number): readonly FaultParameter[] {
  return [withDefault('status', fallback, 'Status of the response, 200 to 599'), RETRY_AFTER];
}

const DEFINITIONS: Readonly<Record<string, Definition>> = {
  'rate-limit': {
    summary: 'Blocks the key with 429, as if another program had used up its limit',
    example: 'rate-limit:seconds=5',
    own: [withDefault('seconds', 1, 'Length of the block, in seconds')],
    shared: { times: 1 },
    actions: (rateLimitSeconds) => [{ rateLimitSeconds }],
  },
  flaky: {
    summary: 'Responds with an error status to 3 in 10 requests',
    example: 'flaky:probability=0.5,status=500',
    own: statusOr(503),
    shared: { probability: 0.3 },
    actions: responseOf,
  },
  slow: {
    summary: 'Delays every response',
    example: 'slow:ms=250,route=GET /pets',
    own: [withDefault('ms', 1_000, 'Delay of the response, in milliseconds')],
    actions: (latencyMs) => [{ latencyMs }],
  },
  throttle: {
    summary: 'Sends the headers at once, and the body slowly',
    example: 'throttle:bytesPerSecond=50,query=limit=5',
    own: [withDefault('bytesPerSecond', 100, 'Speed of the body')],
    actions: (bytesPerSecond) => [{ bytesPerSecond }],
  },
  'lost-write': {
    summary: 'Carries out the first POST, and closes the connection without a response',
    example: 'lost-write:times=2',
    shared: { route: 'POST /pets', times: 1 },
  },
  garbage: {
    summary: 'Sends a body that is not JSON, an HTML page with 502, and half a body, once each',
    example: 'garbage:skip=3',
    shared: { times: 1 },
    actions: () => ['bad-json', 'html-502', 'truncate'],
  },
  outage: {
    summary: 'Responds with an error status to every request',
    example: 'outage:times=4,retryAfter=date+30s',
    own: statusOr(503),
    actions: responseOf,
  },
  status: {
    summary: 'Responds with a status of your choice',
    example: 'status:status=404,route=/pets/7',
    own: statusOr(500),
    actions: responseOf,
  },
  reset: {
    summary: 'Closes the connection; the request has no effect',
    example: 'reset:route=POST /pets,times=2',
  },
  'html-502': {
    summary: 'Responds with the HTML page of a gateway; the request has no effect',
    example: 'html-502:times=1',
  },
  'bad-json': {
    summary: 'Carries out the request, and responds with a body that is not JSON',
    example: 'bad-json:times=1',
  },
  truncate: {
    summary: 'Carries out the request, and closes the connection after half of the response body',
    example: 'truncate:route=GET /pets',
  },
  cut: {
    summary:
      'Carries out the request, and closes the connection after a number of bytes of the response body',
    example: 'cut:bytes=10,route=POST /pets,body=Rex',
    own: [withDefault('bytes', 100, 'Bytes of the body that are sent')],
    actions: (cutAfterBytes) => [{ cutAfterBytes }],
  },
};

const SHARED: Readonly<Record<SharedName, string>> = {
  route: 'A method, a path below /v1, or both',
  query: 'Parameters that the query must have, such as status=sold',
  body: 'A text that the body of the request must contain',
  skip: 'Number of matching requests before the fault starts',
  times: 'Number of requests that it is applied to',
  probability: 'Probability for each matching request, 0 to 1',
};

/** The names that `parseFault` accepts. */
export const FAULT_NAMES: readonly string[] = Object.keys(DEFINITIONS);

/** The named faults with their parameters, and an example each. */
export const FAULT_PROFILES: readonly FaultProfile[] = Object.entries(DEFINITIONS).map(
  ([name, { summary, example, own = [], shared = {} }]) => ({
    name,
    summary,
    parameters: [
      ...own,
      ...(Object.keys(SHARED) as SharedName[]).map((parameter) => ({
        name: parameter,
        summary: SHARED[parameter],
        ...(shared[parameter] === undefined ? {} : { default: shared[parameter] }),
      })),
    ],
    example,
  }),
);

type Parameters = Readonly<Record<string, string>>;

/** The action of the faults with a status. Two values of `Retry-After` have a semicolon between them. */
function responseOf(status: number, { retryAfter }: Parameters): readonly FaultAction[] {
  if (retryAfter === undefined) return [{ status }];
  const values = retryAfter.split(';');
  return [{ status, retryAfter: values.length === 1 ? retryAfter : values }];
}

/**
 * Parses a fault from `NAME` or `NAME:key=value,...`, or from the JSON of a `Fault`. Every name also takes `route`,
 * `query`, `body`, `skip`, `times` and `probability`.
 *
 * - `rate-limit` blocks the key once, for `seconds` (default 1).
 * - `flaky` responds with `status` (default 503) to 3 in 10 requests.
 * - `slow` delays every response by `ms` (default 1000). `throttle` sends `bytesPerSecond` (default 100).
 * - `lost-write` carries out the first POST, and closes the connection without a response.
 * - `garbage` applies `bad-json`, `html-502` and `truncate`, once each, in this order.
 * - `outage` responds with `status` (default 503) to every request.
 * - `cut` closes the connection after `bytes` (default 100) of the body.
 * - `status` (default 500), `reset`, `html-502`, `bad-json`, `truncate`: see `FaultAction`.
 * - `retryAfter` of `flaky`, `outage` and `status`: see `FaultResponse`; two values have a semicolon between them.
 *
 * @returns the faults, most often one.
 * @throws TypeError if the name or a parameter is invalid. The message lists the valid ones.
 * @example
 * ```ts
 * mock.setFaults(parseFault('reset:route=POST /pets,times=2'));
 * ```
 */
export function parseFault(spec: string): Fault[] {
  if (spec.startsWith('{')) return [faultOfJson(spec)];
  const colon = spec.indexOf(':');
  const name = colon < 0 ? spec : spec.slice(0, colon);
  const definition = Object.hasOwn(DEFINITIONS, name) ? DEFINITIONS[name] : undefined;
  if (definition === undefined)
    throw new TypeError(`Unknown fault: ${name} (${nearestOf(name, FAULT_NAMES)})`);
  const { own = [], shared, actions = () => [name as FaultAction] } = definition;
  const known = [...own.map((parameter) => parameter.name), ...Object.keys(SHARED)];
  const given = readParameters(colon < 0 ? '' : spec.slice(colon + 1), name, known);
  const counts: Partial<Fault> = {};
  for (const key of ['route', 'query', 'body'] as const)
    if (given[key] !== undefined) counts[key] = given[key];
  for (const key of ['skip', 'times', 'probability'] as const) {
    if (given[key] !== undefined) counts[key] = numberOf(given, key, 0);
  }
  const [main] = own;
  const value = main === undefined ? 0 : numberOf(given, main.name, Number(main.default));
  const faults = actions(value, given).map((action): Fault => ({ ...shared, ...counts, action }));
  faults.forEach(checkFault);
  return faults;
}

function faultOfJson(text: string): Fault {
  let fault: Fault;
  try {
    fault = parseJson(text) as Fault;
  } catch (error) {
    throw new TypeError(`Invalid fault: not JSON: ${text}`, { cause: error });
  }
  checkFault(fault);
  return fault;
}

function readParameters(text: string, name: string, known: readonly string[]): Parameters {
  const given: Record<string, string> = {};
  for (const pair of text === '' ? [] : text.split(',')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (!known.includes(key)) {
      throw new TypeError(`Unknown parameter "${key}" of fault ${name} (${nearestOf(key, known)})`);
    }
    if (equals < 0) throw new TypeError(`Parameter ${key} of fault ${name} has no value (such as ${key}=1)`);
    given[key] = pair.slice(equals + 1);
  }
  return given;
}

function numberOf(given: Parameters, key: string, fallback: number): number {
  const text = given[key];
  if (text === undefined) return fallback;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^-\d/.test(text)) throw new TypeError(`Fault parameter ${key} must be 0 or more: ${text}`);
  throw new TypeError(`Fault parameter ${key} is not a number: ${text}`);
}

function nearestOf(name: string, known: readonly string[]): string {
  const nearest = suggest(name, known);
  return nearest === undefined ? `known: ${known.join(', ')}` : `did you mean "${nearest}"?`;
}
