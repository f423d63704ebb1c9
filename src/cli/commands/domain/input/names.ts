import { type DomainName, parseDomainName } from '../../../../domain/index.js';
import { UsageError } from '../../../errors/usage-error.js';

/** More make a message unreadable, such as of a file of names. */
const SHOWN_NAMES_MAX = 5;

/**
 * Parses domain names, and removes duplicates.
 *
 * @param keepsInvalid Next to valid names, returns invalid ones too, with an empty `ascii`.
 * @throws UsageError that names the first 5 invalid names, with the finding's id and, if possible, a suggested name.
 */
export function readDomainNames(
  words: readonly string[],
  { keepsInvalid = false }: { keepsInvalid?: boolean } = {},
): DomainName[] {
  const byText = new Map<string, DomainName>();
  const errors: UsageError[] = [];
  for (const word of words) {
    const parsed = parseOrError(word);
    const isInvalid = parsed instanceof UsageError;
    if (isInvalid) errors.push(parsed);
    const name = isInvalid ? { input: word, ascii: '', unicode: '' } : parsed;
    const key = isInvalid ? word : name.ascii;
    if (!byText.has(key)) byText.set(key, name);
  }
  const names = [...byText.values()];
  const [first] = errors;
  if (first === undefined || (keepsInvalid && names.some(({ ascii }) => ascii !== ''))) return names;
  if (errors.length === 1) throw first;
  const shown = errors.slice(0, SHOWN_NAMES_MAX);
  const hints = [...new Set(shown.flatMap(({ hint }) => hint ?? []))];
  const more = errors.length > shown.length ? `; and ${String(errors.length - shown.length)} more` : '';
  throw new UsageError(
    `${String(errors.length)} names are invalid: ${shown.map(({ message }) => message).join('; ')}${more}`,
    hints.length === 0 ? undefined : hints.join(' '),
  );
}

/**
 * Parses one domain name.
 *
 * @param source Such as `--target` or `domains[2] in /home/ida/shop/petstore.config.json`. Absent for an argument.
 * @param remedy What to do if no name can be suggested.
 * @throws as `readDomainNames` does, with the source.
 */
export function readDomainName(word: string, source?: string, remedy?: string): DomainName {
  const name = parseOrError(word, source, remedy);
  if (name instanceof UsageError) throw name;
  return name;
}

function parseOrError(word: string, source?: string, remedy?: string): DomainName | UsageError {
  const parsed = parseDomainName(word);
  if (parsed.ok) return parsed.name;
  const { finding, problem, suggestion } = parsed;
  return new UsageError(
    `${source === undefined ? '' : `${source}: `}${problem} (${finding.id})`,
    suggestion === undefined ? (remedy ?? finding.fix?.text) : `Did you mean "${suggestion}"?`,
  );
}

/**
 * A name for people, with both spellings if they differ: `müller.example (xn--mller-kva.example)`. Without a spelling, such
 * as in a report of an invalid name, the input.
 */
export function shownName({ input, ascii, unicode }: DomainName): string {
  if (ascii === '') return input;
  return unicode === ascii ? ascii : `${unicode} (${ascii})`;
}

/** A host in ASCII; `undefined` if it is invalid. */
export function asciiOf(host: string): string | undefined {
  const parsed = parseDomainName(host);
  return parsed.ok ? parsed.name.ascii : undefined;
}
