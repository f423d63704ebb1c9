import { type DomainName, parseDomainName } from '../../../../domain/index.js';
import { toTerminalLine } from '../../../output/index.js';
import { UsageError } from '../../../errors/usage-error.js';

/**
 * Reads domain names before anything is asked, each once.
 *
 * @throws UsageError with the finding's id and, where there is one, the name that was probably meant.
 */
export function readDomainNames(words: readonly string[]): DomainName[] {
  const byAscii = new Map<string, DomainName>();
  for (const name of words.map(readDomainName)) {
    if (!byAscii.has(name.ascii)) byAscii.set(name.ascii, name);
  }
  return [...byAscii.values()];
}

/** Reads one domain name. @throws as `readDomainNames` does. */
export function readDomainName(word: string): DomainName {
  const parsed = parseDomainName(word);
  if (parsed.ok) return parsed.name;
  const { finding, suggestion } = parsed;
  const message = withVisibleControls(finding.message.replace(/\.$/, ''), word);
  const remedy = finding.fix?.text.replace(/\.$/, '').replace(/^./, (letter) => letter.toLowerCase());
  throw new UsageError(
    `${message} (${finding.id})`,
    suggestion === undefined ? remedy : `did you mean ${suggestion}?`,
  );
}

/** What was typed holds no DNS data, in whose notation the finding has it: it is shown as everywhere on a terminal. */
function withVisibleControls(message: string, word: string): string {
  if (word.includes('\\')) return message;
  return message.replaceAll(/\\(\d{3})|\\u\{([\dA-F]+)\}/g, (_, decimal?: string, hex = '') => {
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    const character = String.fromCodePoint(code);
    const shown = toTerminalLine(character);
    return shown === character ? `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>` : shown;
  });
}

/**
 * Reads one domain name that stands somewhere else than on the command line.
 *
 * @param place such as `--target` or `domains[2] in /home/ida/shop/petstore.config.json`.
 * @throws as `readDomainNames` does, with the place.
 */
export function readNameFrom(place: string, text: string): DomainName {
  try {
    return readDomainName(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${place}: ${error.message}`, error.hint, error);
  }
}

/** A name for people: `müller.example (xn--mller-kva.example)`, where the two spellings differ. */
export function shownName({ ascii, unicode }: Pick<DomainName, 'ascii' | 'unicode'>): string {
  return unicode === ascii ? ascii : `${unicode} (${ascii})`;
}

/** A host as DNS has it; `undefined` for what is no name. */
export function asciiOf(host: string): string | undefined {
  const parsed = parseDomainName(host);
  return parsed.ok ? parsed.name.ascii : undefined;
}
