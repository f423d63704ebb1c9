import { choice, quoted } from '../../command-line/flag-values.js';
import type { GlobalOptions } from '../../command-line/global-options.js';
import { UsageError } from '../../errors/usage-error.js';
import { COLOR_CHOICES, OUTPUT_FORMATS } from '../../output/index.js';
import { suggest } from '../../../options/suggest.js';
import { KEY_LOCATIONS, PLAN_NAMES } from './config-values.js';
import { fieldPath, isSecretName, misplacedKey } from './secret-name.js';

/** Where a value is. The field is such as `redirects[0].status`; empty for the whole file. */
interface ValuePlace {
  file: string;
  field: string;
}

/** Checks a value of the type. @throws UsageError if it is invalid. */
interface Check<T = unknown> {
  (value: unknown, place: ValuePlace): void;
  /** Describes the values (JSON Schema, draft 7). */
  schema?: object;
  /** Only for the compiler. */
  type?: T;
}

function check<T>(schema: object, run: (value: unknown, place: ValuePlace) => void): Check<T> {
  return Object.assign(run, { schema });
}

const text = check<string>({ type: 'string' }, (value, place) => {
  if (typeof value !== 'string') throw invalidField(place, 'must be a string');
});

/** The domain commands check the values of their fields. */
const described = (schema: object): Check => check(schema, () => undefined);

const texts = check<readonly string[]>({ type: 'array', items: text.schema }, (value, place) => {
  if (!Array.isArray(value)) throw invalidField(place, 'must be a list');
  value.forEach((item, index) => {
    text(item, { ...place, field: `${place.field}[${String(index)}]` });
  });
});

function oneOf<T extends string>(known: readonly T[]): Check<T> {
  return check({ type: 'string', enum: known }, (value, place) => {
    if (known.some((word) => word === value)) return;
    const similar = typeof value === 'string' ? suggest(value, known) : undefined;
    const shown = typeof value === 'string' ? quoted(value) : 'The value';
    throw fieldError(
      place,
      `${nameOf(place)}: ${shown} is not one of ${known.join(', ')}`,
      similar === undefined ? SHOW_EXAMPLE : `Did you mean "${similar}"?`,
    );
  });
}

/** A setting of one of these words, which a flag, a variable or a profile sets. */
function wordSetting<T extends string, O extends keyof GlobalOptions>(option: O, known: readonly T[]) {
  return {
    option,
    profile: oneOf(known),
    read: (name: string, word: string): T => choice(name, known, word),
  };
}

function objectWith(fields: Readonly<Record<string, Check>>): Check {
  return (value, place) => {
    const content = asObject(value, place);
    for (const [name, check] of Object.entries(fields))
      if (Object.hasOwn(content, name)) check(content[name], inside(place, name));
    const unknown = Object.keys(content).filter((name) => !Object.hasOwn(fields, name));
    if (unknown.length > 0) throw unknownField(unknown, place, Object.keys(fields));
  };
}

function recordOf(check: Check): Check {
  return (value, place) => {
    for (const [name, entry] of Object.entries(asObject(value, place))) check(entry, inside(place, name));
  };
}

/** A setting: what people read, and its checks. */
export interface Setting {
  /** Sentence case, no final period. */
  summary: string;
  flag?: string;
  variable?: string;
  default?: string;
  /** The check in a profile of the user's `config.json`. */
  profile?: Check;
  /** The check in `config.json` itself. */
  config?: Check;
  /** The check in a project's `petstore.config.json`. */
  project?: Check;
  /** The global option of the flag. With `read`. */
  option?: keyof GlobalOptions;
  /** Reads a text of the variable or of `config set`. @throws UsageError with the name of the variable or setting */
  read?(name: string, text: string): unknown;
}

const HOST = { $ref: '#/definitions/host' };

/** All settings, in the order of docs/configuration.md. */
export const SETTINGS = {
  profile: {
    flag: '--profile',
    variable: 'PETSTORE_PROFILE',
    summary: 'The profile to use',
    project: text,
    config: text,
  },
  baseUrl: {
    flag: '--base-url',
    variable: 'PETSTORE_BASE_URL',
    summary: 'Address of the service, including /v1',
    project: text,
    profile: text,
  },
  stagingUrl: { summary: 'The base URL for --staging', profile: text },
  output: {
    flag: '-o or --json',
    variable: 'PETSTORE_OUTPUT',
    summary: 'Output format',
    default: 'table on a terminal, otherwise tsv',
    ...wordSetting('format', OUTPUT_FORMATS),
  },
  color: {
    flag: '--color',
    variable: 'PETSTORE_COLOR',
    summary: 'Use colour: auto, always or never',
    default: 'auto',
    ...wordSetting('color', COLOR_CHOICES),
  },
  keyIn: {
    summary: 'Where auth login stored the key: keychain, or file for the folder keys next to config.json',
    profile: oneOf(KEY_LOCATIONS),
  },
  keyOrigin: {
    summary: 'The origin that the stored key was given for, such as https://HOST',
    profile: text,
  },
  trustedUrls: {
    summary:
      'In a profile: other addresses that may receive its key; outside: addresses that may receive PETSTORE_API_KEY',
    profile: texts,
    config: texts,
  },
  gate: {
    variable: 'PETSTORE_GATE',
    default: 'file',
    summary:
      'Where the rate budget is stored: file (shared by all commands of this machine), memory (one command only) or, ' +
      'for several machines, redis://[[USER]:PASSWORD@]HOST[:PORT][/DB] (rediss:// for TLS; ?prefix= sets the prefix of the keys)',
  },
  target: {
    flag: '--target',
    // Draft 7 ignores what is next to a $ref.
    project: described({ allOf: [HOST] }),
    summary: 'Target of the custom domains: the CNAME value that the dashboard shows',
  },
  plan: {
    flag: '--plan',
    project: described({ type: 'string', enum: PLAN_NAMES }),
    summary: 'Plan of the project. Custom domains need pro or above',
    default: 'inferred from the rate limit',
  },
  deployed: {
    flag: '--deployed',
    project: described({ type: 'boolean' }),
    summary: 'Whether the project has a successful deploy',
    default: 'unknown',
  },
  domains: {
    summary: 'Custom domains for commands without a domain',
    project: described({ type: 'array', items: HOST, uniqueItems: true }),
  },
  redirects: {
    summary: 'The redirect entries of the project',
    project: described({
      type: 'array',
      items: {
        type: 'object',
        properties: { from: HOST, to: HOST, status: { type: 'number', enum: [301, 302, 303, 307, 308] } },
        required: ['from', 'to', 'status'],
        additionalProperties: false,
      },
    }),
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Settings = typeof SETTINGS;
type File = 'profile' | 'config' | 'project';

/** The fields of a file with the types of their values. */
type FieldsOf<Place extends File> = {
  [
    Name in keyof Settings as Settings[Name] extends Record<Place, Check> ? Name : never
  ]?: Settings[Name] extends Record<Place, Check<infer T>> ? T : never;
};

/** A named set of settings in `config.json`. */
export type Profile = FieldsOf<'profile'>;

/** The settings that a flag, a variable or a profile sets. */
export type ReadSetting = {
  [Name in keyof Settings]: Settings[Name] extends { read: unknown } ? Name : never;
}[keyof Settings];

/** The type of such a setting. */
export type SettingValue<Name extends ReadSetting> = ReturnType<Settings[Name]['read']>;

export function isReadSetting(name: string): name is ReadSetting {
  return settingNamed(name)?.read !== undefined;
}

/** Returns a setting by any name. */
export function settingNamed(name: string): Setting | undefined {
  return Object.hasOwn(SETTINGS, name) ? SETTINGS[name as keyof Settings] : undefined;
}

function checksOf<Place extends File>(place: Place): Readonly<Record<keyof FieldsOf<Place>, Check>> {
  const checks = Object.entries<Setting>(SETTINGS).flatMap(([name, setting]) =>
    setting[place] === undefined ? [] : [[name, setting[place]] as const],
  );
  // One entry for each field with a check.
  return Object.fromEntries(checks) as Record<keyof FieldsOf<Place>, Check>;
}

/** The fields of a profile. */
export const PROFILE_FIELDS = checksOf('profile');

/** The fields of the user's `config.json`. */
export const CONFIG_FIELDS = { ...checksOf('config'), profiles: recordOf(objectWith(PROFILE_FIELDS)) };

/** The fields of a project's `petstore.config.json`. docs/petstore.config.schema.json is made from them. */
export const PROJECT_FIELDS = { $schema: text, ...checksOf('project') };

/**
 * Checks the content of a file.
 *
 * @throws UsageError naming the field.
 */
export function checkFields(content: unknown, fields: Readonly<Record<string, Check>>, file: string): void {
  objectWith(fields)(content, { file, field: '' });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown, place: ValuePlace): Record<string, unknown> {
  if (isObject(value)) return value;
  throw invalidField(place, 'must be a JSON object');
}

function inside({ file, field }: ValuePlace, name: string): ValuePlace {
  return { file, field: fieldPath(field, name) };
}

function nameOf({ file, field }: ValuePlace): string {
  return field === '' ? file : `${field} in ${file}`;
}

const SHOW_EXAMPLE = 'Run "petstore help config" to see an example.';

function fieldError({ file }: ValuePlace, message: string, hint: string): UsageError {
  return new UsageError(message, hint, undefined, [{ file }]);
}

function invalidField(place: ValuePlace, problem: string): UsageError {
  return fieldError(place, `${nameOf(place)} ${problem}`, SHOW_EXAMPLE);
}

const NAME_MAX = 60;

function unknownField(names: readonly string[], place: ValuePlace, known: readonly string[]): UsageError {
  const secret = names.find(isSecretName);
  if (secret !== undefined) return misplacedKey(place.file, fieldPath(place.field, secret));
  const [whole = ''] = names;
  const name = whole.length > NAME_MAX ? `${whole.slice(0, NAME_MAX)}…` : whole;
  const similar = suggest(name, known);
  const path = fieldPath(place.field, name);
  return fieldError(
    place,
    `Unknown field ${path.endsWith('"') ? path : `"${path}"`} in ${place.file}`,
    similar === undefined ? `Known fields: ${known.join(', ')}.` : `Did you mean "${similar}"?`,
  );
}
