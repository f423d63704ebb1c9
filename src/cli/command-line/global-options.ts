import { choice, durationMs, quoted } from './flag-values.js';
import { COLOR_CHOICES, OUTPUT_FORMATS, type OutputFormat, parseFields } from '../output/index.js';
import { UsageError } from '../errors/usage-error.js';

/** The checked global flags. A missing flag falls back to the environment or the configuration. */
export type GlobalOptions = ReturnType<typeof readFlags>;

/**
 * Checks the parsed global flags.
 *
 * @param formats the formats of the command, if they differ.
 */
export function readGlobalOptions(
  flags: Readonly<Record<string, unknown>>,
  formats: readonly string[] = [],
): GlobalOptions {
  const options = readFlags(flags, formats);
  rejectContradictions(options);
  return options;
}

function readFlags(flags: Readonly<Record<string, unknown>>, formats: readonly string[]) {
  const text = (name: string): string | undefined => {
    const value = flags[name];
    return typeof value === 'string' ? value : undefined;
  };
  return withoutUndefined({
    profile: text('profile'),
    baseUrl: text('baseUrl'),
    caFile: text('ca'),
    staging: flags.staging === true,
    mock: flags.mock === true,
    ...format(text('output'), text('json'), formats),
    ...fields(text('fields'), text('json')),
    query: text('query'),
    sort: mapped(text('sort'), sortField),
    header: flags.header !== false,
    csvRaw: flags.csvRaw === true,
    color: mapped(text('color'), (word) => choice('--color', COLOR_CHOICES, word)),
    input: flags.input !== false,
    yes: flags.yes === true,
    timeoutMs: mapped(text('timeout'), (word) => positive('--timeout', durationMs('--timeout', word))),
    waitMaxMs: mapped(text('maxWait'), (word) => durationMs('--max-wait', word)),
    reservePercent: mapped(text('reserve'), percent),
    retry: flags.retry !== false,
    dryRun: flags.dryRun === true,
    curl: flags.curl === true,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
  });
}

/** The hint for a file name where a format is expected, and for `--out` of another command. */
export const TO_A_FILE =
  'To write a file, use > FILE, or --out FILE with "petstore pets export". -o selects the format.';

/** `ownFormat`: a format that only this command has. `format` is then table. */
function format(
  output: string | undefined,
  json: string | undefined,
  formats: readonly string[],
): { format: OutputFormat | undefined; ownFormat: string | undefined } {
  const own = formats.filter((word) => !OUTPUT_FORMATS.some((format) => format === word));
  const named = mapped(output, (word) => {
    const hint = /[./]/.test(word) ? TO_A_FILE : undefined;
    return choice('--output', [...OUTPUT_FORMATS, ...own], word, hint);
  });
  if (json !== undefined && named !== undefined && named !== 'json') {
    throw new UsageError(`--json and --output ${named} contradict each other`, 'Pass only one of them.');
  }
  const standard = OUTPUT_FORMATS.find((format) => format === (json === undefined ? named : 'json'));
  return standard === undefined && named !== undefined
    ? { format: 'table', ownFormat: named }
    : { format: standard, ownFormat: undefined };
}

/** `fieldsFlag`: set if `--json` names the fields instead of `--fields`. */
function fields(
  list: string | undefined,
  json: string | undefined,
): { fields: readonly string[] | undefined; fieldsFlag: '--json' | undefined } {
  if (list !== undefined && json !== undefined && json !== '') {
    throw new UsageError('--json and --fields both list fields', 'List the fields once.');
  }
  if (json !== undefined && /[^,],$/.test(json)) {
    throw new UsageError('--json has no field after the last comma', 'Add a field, or remove the comma.');
  }
  if (json === undefined || json === '') return { fields: mapped(list, parseFields), fieldsFlag: undefined };
  return { fields: parseFields(json, '--json'), fieldsFlag: '--json' };
}

function sortField(sort: string): string {
  if (sort !== '' && sort !== '-') return sort;
  throw new UsageError('--sort has no field', 'Pass a field, such as --sort name or --sort=-id.');
}

function rejectContradictions(options: GlobalOptions): void {
  const targets = [
    options.baseUrl !== undefined && '--base-url',
    options.staging && '--staging',
    options.mock && '--mock',
  ];
  const [first, second] = targets.filter((flag) => flag !== false);
  if (first !== undefined && second !== undefined) {
    throw new UsageError(`${first} and ${second} select different services`, 'Pass only one of them.');
  }
  const shape = options.fields === undefined ? options.query && '--query' : '--fields';
  if (options.ownFormat !== undefined && shape !== undefined) {
    throw new UsageError(
      `${String(shape)} can't be combined with -o ${options.ownFormat}`,
      'Use one of the two.',
    );
  }
  if (!options.retry && options.waitMaxMs !== undefined) {
    throw new UsageError('--no-retry and --max-wait contradict each other', 'Pass only one of them.');
  }
  if (options.mock && options.curl) {
    throw new UsageError(
      '--curl does not work with --mock, which has no base URL',
      'Run "petstore mock", and pass its base URL with --base-url.',
    );
  }
}

function positive(flag: string, value: number): number {
  if (value > 0) return value;
  throw new UsageError(`${flag} must be more than 0`, `Pass a duration, such as ${flag} 30s.`);
}

function percent(word: string): number {
  const value = /^\d{1,2}(?:\.\d+)?%?$/.test(word) ? Number.parseFloat(word) : Number.NaN;
  if (value >= 0 && value < 100) return value;
  throw new UsageError(
    `--reserve: ${quoted(word)} is not a percentage from 0 to below 100`,
    'Pass a number, such as --reserve 20.',
  );
}

function mapped<T>(text: string | undefined, map: (text: string) => T): T | undefined {
  return text === undefined ? undefined : map(text);
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(value: T): Defined<T> {
  // The remaining entries are those that the type requires.
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Defined<T>;
}
