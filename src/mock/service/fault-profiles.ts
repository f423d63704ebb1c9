import { checkFault, type Fault } from './fault.js';

type Parameters = Readonly<Record<string, string>>;

/** The named profiles, each with its own parameters. All of them also take `route`, `skip`, `times` and `probability`. */
const PROFILES: Readonly<Record<string, { takes: readonly string[]; make(given: Parameters): Fault[] }>> = {
  'rate-limit': {
    takes: ['seconds'],
    make: (given) => [{ times: 1, action: { rateLimitSeconds: numberOf(given, 'seconds', 1) } }],
  },
  flaky: {
    takes: ['status'],
    make: (given) => [{ probability: 0.3, action: { status: numberOf(given, 'status', 503) } }],
  },
  slow: { takes: ['ms'], make: (given) => [{ action: { latencyMs: numberOf(given, 'ms', 1_000) } }] },
  'lost-write': { takes: [], make: () => [{ route: 'POST /pets', times: 1, action: 'lost-write' }] },
  garbage: {
    takes: [],
    make: () => (['bad-json', 'html-502', 'truncate'] as const).map((action) => ({ times: 1, action })),
  },
  outage: {
    takes: ['status'],
    make: (given) => [{ action: { status: numberOf(given, 'status', 503) } }],
  },
  status: { takes: ['status'], make: (given) => [{ action: { status: numberOf(given, 'status', 500) } }] },
  reset: { takes: [], make: () => [{ action: 'reset' }] },
  'html-502': { takes: [], make: () => [{ action: 'html-502' }] },
  'bad-json': { takes: [], make: () => [{ action: 'bad-json' }] },
  truncate: { takes: [], make: () => [{ action: 'truncate' }] },
};

const SHARED_PARAMETERS = ['route', 'skip', 'times', 'probability'];

/** What `parseFault` knows by name. */
export const FAULT_NAMES: readonly string[] = Object.keys(PROFILES);

/**
 * Reads `NAME` or `NAME:key=value,...`, such as `flaky:probability=0.5` or `reset:route=POST /pets,times=2`.
 *
 * `rate-limit` (seconds), `flaky` (3 in 10 answers are 503; status), `slow` (ms), `lost-write` (the first POST),
 * `garbage` (bad JSON, a gateway's page, half an answer, once each, in this order), `outage` (status), and the single
 * faults `status`, `reset`, `html-502`, `bad-json`, `truncate`.
 *
 * @throws TypeError that names what is known.
 */
export function parseFault(spec: string): Fault[] {
  const colon = spec.indexOf(':');
  const name = colon < 0 ? spec : spec.slice(0, colon);
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (profile === undefined) throw new TypeError(`no such fault: ${name} (known: ${FAULT_NAMES.join(', ')})`);
  const given = parametersOf(colon < 0 ? '' : spec.slice(colon + 1), name, [
    ...profile.takes,
    ...SHARED_PARAMETERS,
  ]);
  const shared: Partial<Fault> = {};
  if (given.route !== undefined) shared.route = given.route;
  for (const key of ['skip', 'times', 'probability'] as const) {
    if (given[key] !== undefined) shared[key] = numberOf(given, key, 0);
  }
  return profile.make(given).map((fault) => {
    const whole = { ...fault, ...shared };
    checkFault(whole);
    return whole;
  });
}

function parametersOf(text: string, name: string, known: readonly string[]): Parameters {
  const given: Record<string, string> = {};
  for (const pair of text === '' ? [] : text.split(',')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (equals < 0 || !known.includes(key)) {
      throw new TypeError(`fault ${name} takes ${known.join(', ')}, each as key=value; not "${pair}"`);
    }
    given[key] = pair.slice(equals + 1);
  }
  return given;
}

function numberOf(given: Parameters, key: string, fallback: number): number {
  const text = given[key];
  if (text === undefined) return fallback;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw new TypeError(`${key} of a fault is not a number: ${text}`);
}
