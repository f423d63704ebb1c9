import { z } from 'zod';
import { quoted } from '../command-line/flag-values.js';
import { UsageError } from '../errors/usage-error.js';
import { COLOR_CHOICES, OUTPUT_FORMATS } from '../output/index.js';
import { suggest } from '../../options/suggest.js';
import { KEY_LOCATIONS, PLAN_NAMES } from './config-values.js';
import { fieldPath, isSecretName, misplacedKey } from './secret-name.js';

// Loading zod takes 20 ms. Commands load this file only to explain what is wrong in a configuration file.

const trustedUrls = z.array(z.string());

const profile = z.strictObject({
  baseUrl: z.string().exactOptional(),
  stagingUrl: z.string().exactOptional(),
  output: z.enum(OUTPUT_FORMATS).exactOptional(),
  color: z.enum(COLOR_CHOICES).exactOptional(),
  keyIn: z.enum(KEY_LOCATIONS).exactOptional(),
  trustedUrls: trustedUrls.exactOptional(),
});

/** The user's `config.json`. */
export const configSchema = z.strictObject({
  profile: z.string().exactOptional(),
  profiles: z.record(z.string(), profile).exactOptional(),
  trustedUrls: trustedUrls.exactOptional(),
});

const host = z
  .string()
  .min(1)
  .regex(/^[^\s/:@*_?#]+$/)
  .meta({ id: 'host', description: 'A bare host name, without scheme, port or path.' });

const redirect = z.strictObject({
  from: host,
  to: host,
  status: z
    .literal([301, 302, 303, 307, 308])
    .meta({ description: 'HTTP status, such as 301 (moved permanently).' }),
});

/** A project's `petstore.config.json`. docs/petstore.config.schema.json is generated from it. */
export const projectSchema = z
  .strictObject({
    $schema: z.string().exactOptional(),
    profile: z.string().meta({ description: 'Name of a profile in your own config.json.' }).exactOptional(),
    baseUrl: z
      .string()
      .meta({ description: 'Address of the service, including the version: https://HOST/v1.' })
      .exactOptional(),
    target: host
      .meta({ description: 'Target of the custom domains: the CNAME value that the dashboard shows.' })
      .exactOptional(),
    plan: z
      .enum(PLAN_NAMES)
      .meta({ description: 'Plan of the project. Custom domains need pro or above.' })
      .exactOptional(),
    deployed: z
      .boolean()
      .meta({ description: 'Whether the project has a successful deploy.' })
      .exactOptional(),
    domains: z
      .array(host)
      .meta({
        description: 'The custom domains that `petstore domain verify` checks without arguments.',
        uniqueItems: true,
      })
      .exactOptional(),
    redirects: z
      .array(redirect)
      .meta({ description: 'The redirect entries that `petstore domain redirects` checks.' })
      .exactOptional(),
  })
  .meta({
    title: 'petstore.config.json',
    description:
      'Settings of a project for the petstore command. Never put an API key here: set PETSTORE_API_KEY.',
  });

/** Describes the first field of a file that does not match its schema. */
export function describeMismatch(
  schema: typeof configSchema | typeof projectSchema,
  path: string,
  content: unknown,
): UsageError {
  const issue = schema.safeParse(content).error?.issues[0];
  if (issue === undefined) return new UsageError(`${path} is not valid`, SHOW_EXAMPLE);
  const field = fieldName(issue.path);
  const location = field === '' ? path : `${field} in ${path}`;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = Object.keys((NESTED[String(issue.path[0])] ?? schema).shape);
      return unknownField(issue.keys, { path, parent: field, known });
    }
    case 'invalid_value':
      return unknownValue(location, issue.values.map(String), valueAt(content, issue.path));
    case 'invalid_type':
      return new UsageError(
        `${location} must be ${EXPECTED[issue.expected] ?? issue.expected}`,
        SHOW_EXAMPLE,
      );
    default:
      return new UsageError(`${location} is not valid`, SHOW_EXAMPLE);
  }
}

const SHOW_EXAMPLE = 'Run "petstore help config" to see an example.';

/** The objects inside a file, by the field that holds them. */
const NESTED: Readonly<Record<string, z.ZodObject>> = { profiles: profile, redirects: redirect };

const EXPECTED: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  object: 'a JSON object',
  record: 'a JSON object',
  string: 'a string',
};

/** Such as `redirects[0].status`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (parent, name) =>
      typeof name === 'number' ? `${parent}[${String(name)}]` : fieldPath(parent, String(name)),
    '',
  );
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<PropertyKey, unknown>)[name], content);
}

function unknownField(
  names: readonly string[],
  { path, parent, known }: { path: string; parent: string; known: readonly string[] },
): UsageError {
  const secret = names.find(isSecretName);
  if (secret !== undefined) return misplacedKey(path, fieldPath(parent, secret));
  const [whole = ''] = names;
  const name = whole.length > 60 ? `${whole.slice(0, 60)}…` : whole;
  const similar = suggest(name, known);
  return new UsageError(
    `Unknown field ${fieldPath(parent, name)} in ${path}`,
    similar === undefined ? `Known fields: ${known.join(', ')}.` : `Did you mean "${similar}"?`,
  );
}

function unknownValue(location: string, known: readonly string[], value: unknown): UsageError {
  const similar = typeof value === 'string' ? suggest(value, known) : undefined;
  const shown = typeof value === 'string' ? quoted(value) : 'The value';
  return new UsageError(
    `${location}: ${shown} is not one of ${known.join(', ')}`,
    similar === undefined ? SHOW_EXAMPLE : `Did you mean "${similar}"?`,
  );
}
