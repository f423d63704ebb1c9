import { suggestionFor } from '../options/suggest.js';
import type { MockOptions } from './mock-options.js';
import type { ListenOptions } from './mock-server.js';
import { FAULT_LIST, isFaultList } from './service/faults.js';
import { MOCK_PLANS } from './service/limits.js';

/** What an option must be, and whether a value is. `undefined` is allowed for every option. */
type Check = readonly [description: string, isValid: (value: unknown) => boolean];

/** The options of an object, and the checks of their values. */
type Checks = Readonly<Record<string, Check>>;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWhole = (value: unknown, min: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= min;
const isListOf = (value: unknown, isEntry: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isEntry);

const OBJECT: Check = ['an object', isObject];
const CALLBACK: Check = ['a function', (value) => typeof value === 'function'];
// Node checks the range.
const PORT: Check = ['a port from 0 to 65535', (value) => typeof value === 'number'];
const ANYTHING: Check = ['anything', () => true];
const PETS: Check = [
  'a whole number of 0 or more, or a list of pets',
  (value) => isWhole(value, 0) || isListOf(value, isObject),
];
const PLAN: Check = [
  `one of ${MOCK_PLANS.join(', ')}`,
  (value) => MOCK_PLANS.some((known) => known === value),
];
const FAULTS: Check = [FAULT_LIST, isFaultList];

export const MOCK_CHECKS = {
  pets: PETS,
  seed: ['a number', (value) => typeof value === 'number' && Number.isFinite(value)],
  plan: PLAN,
  keys: ['an array of strings', (value) => isListOf(value, (key) => typeof key === 'string')],
  faults: FAULTS,
  clock: [
    'an object with the method now',
    (value) => isObject(value) && typeof (value as { now?: unknown }).now === 'function',
  ],
  latencyMs: ANYTHING,
  journalMax: ['a whole number of 1 or more', (value) => isWhole(value, 1)],
  snapshot: ANYTHING,
  // It is the value of a header.
  instance: ['visible ASCII without spaces', (value) => typeof value === 'string' && /^[!-~]+$/.test(value)],
  dns: OBJECT,
  onRequest: CALLBACK,
  replay: ANYTHING,
} satisfies Record<keyof MockOptions, Check>;

export const LISTEN_CHECKS = {
  port: PORT,
  host: ['a host name or an address', (value) => typeof value === 'string' && value !== ''],
  dnsPort: PORT,
  ui: ['a boolean', (value) => typeof value === 'boolean'],
  web: OBJECT,
  onResponse: CALLBACK,
} satisfies Record<keyof ListenOptions, Check>;

export const TENANT_CHECKS = { plan: PLAN, pets: PETS } satisfies Checks;

/**
 * Rejects a mistyped option, which would otherwise have no effect, and a value of a wrong type.
 *
 * @throws TypeError with the name of the option, and the nearest known name.
 */
export function checkOptions(options: unknown, checks: Checks): void {
  if (!isObject(options)) throw new TypeError('The options must be an object');
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const hint = suggestionFor(name, Object.keys(checks));
      throw new TypeError(`Unknown option ${JSON.stringify(name)}. ${hint}`);
    }
    const [description, isValid] = check;
    if (value !== undefined && !isValid(value)) throw new TypeError(`\`${name}\` must be ${description}`);
  }
}
