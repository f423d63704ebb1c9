import { quoted } from '../command-line/flag-values.js';
import { UsageError } from '../errors/usage-error.js';
import { type ColorChoice, COLOR_CHOICES, OUTPUT_FORMATS, type OutputFormat } from '../output/index.js';
import { suggest } from '../../options/suggest.js';
import { KEY_LOCATIONS, type KeyLocation } from './config-values.js';
import { fieldPath, isSecretName, misplacedKey } from './secret-name.js';

/** A named set of settings in `config.json`. */
export interface Profile {
  baseUrl?: string;
  stagingUrl?: string;
  output?: OutputFormat;
  color?: ColorChoice;
  keyIn?: KeyLocation;
  trustedUrls?: readonly string[];
}

/** Where a value is. The field is such as `redirects[0].status`; empty for the whole file. */
interface ValuePlace {
  file: string;
  field: string;
}

/** @throws UsageError if the value is invalid. */
type Check = (value: unknown, place: ValuePlace) => void;

const text: Check = (value, place) => {
  if (typeof value !== 'string') throw invalidField(place, 'must be a string');
};

/** The domain commands check the values of their fields. */
const anything: Check = () => undefined;

const texts: Check = (value, place) => {
  if (!Array.isArray(value)) throw invalidField(place, 'must be a list');
  value.forEach((item, index) => {
    text(item, { ...place, field: `${place.field}[${String(index)}]` });
  });
};

function oneOf(known: readonly string[]): Check {
  return (value, place) => {
    if (known.some((word) => word === value)) return;
    const similar = typeof value === 'string' ? suggest(value, known) : undefined;
    const shown = typeof value === 'string' ? quoted(value) : 'The value';
    throw fieldError(
      place,
      `${nameOf(place)}: ${shown} is not one of ${known.join(', ')}`,
      similar === undefined ? SHOW_EXAMPLE : `Did you mean "${similar}"?`,
    );
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

/** The fields of a profile. */
export const PROFILE_FIELDS = {
  baseUrl: text,
  stagingUrl: text,
  output: oneOf(OUTPUT_FORMATS),
  color: oneOf(COLOR_CHOICES),
  keyIn: oneOf(KEY_LOCATIONS),
  trustedUrls: texts,
} satisfies Record<keyof Profile, Check>;

/** The fields of the user's `config.json`. */
export const CONFIG_FIELDS = {
  profile: text,
  profiles: recordOf(objectWith(PROFILE_FIELDS)),
  trustedUrls: texts,
};

/** The fields of a project's `petstore.config.json`. docs/petstore.config.schema.json describes them. */
export const PROJECT_FIELDS = {
  $schema: anything,
  profile: text,
  baseUrl: text,
  target: anything,
  plan: anything,
  deployed: anything,
  domains: anything,
  redirects: anything,
};

/** A setting, for people. The tables above say which files can have it. */
export interface Setting {
  /** Sentence case, no final period. */
  summary: string;
  flag?: string;
  variable?: string;
  default?: string;
}

type Field = Exclude<keyof typeof PROFILE_FIELDS | keyof typeof PROJECT_FIELDS, '$schema'>;

/** All settings, in the order of docs/configuration.md. Each field of a file has one. */
export const SETTINGS: Readonly<Partial<Record<string, Setting>>> = {
  profile: { flag: '--profile', variable: 'PETSTORE_PROFILE', summary: 'The profile to use' },
  baseUrl: {
    flag: '--base-url',
    variable: 'PETSTORE_BASE_URL',
    summary: 'Address of the service, including /v1',
  },
  stagingUrl: { summary: 'The base URL for --staging' },
  output: {
    flag: '-o or --json',
    variable: 'PETSTORE_OUTPUT',
    summary: 'Output format',
    default: 'table on a terminal, otherwise tsv',
  },
  color: {
    flag: '--color',
    variable: 'PETSTORE_COLOR',
    summary: 'Use colour: auto, always or never',
    default: 'auto',
  },
  keyIn: {
    summary: 'Where auth login stored the key: keychain, or file for keys/PROFILE.key next to config.json',
  },
  trustedUrls: {
    summary:
      'In a profile: other addresses that may receive its key; outside: addresses that may receive PETSTORE_API_KEY',
  },
  gate: { variable: 'PETSTORE_GATE', summary: 'Where the rate budget is stored', default: 'file' },
  target: { flag: '--target', summary: 'Target of the custom domains' },
  plan: { flag: '--plan', summary: 'Plan of the project', default: 'inferred from the rate limit' },
  deployed: {
    flag: '--deployed',
    summary: 'Whether the project has a successful deploy',
    default: 'unknown',
  },
  domains: { summary: 'Custom domains for commands without a domain' },
  redirects: { summary: 'The redirect entries of the project' },
} satisfies Readonly<Record<Field | 'gate', Setting>>;

/**
 * Checks the content of a file.
 *
 * @throws UsageError naming the field.
 */
export function checkFields(content: unknown, fields: Readonly<Record<string, Check>>, file: string): void {
  objectWith(fields)(content, { file, field: '' });
}

export function isObject(value: unknown): value is Record<string, unknown> {
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
