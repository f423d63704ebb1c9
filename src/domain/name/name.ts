import { domainToASCII, domainToUnicode } from 'node:url';
import { parse as parseSuffix } from 'tldts';
import { ipFamily } from '../resolver/server-address.js';
import type { Finding, FindingId } from '../finding/finding.js';
import { isPrintable, printable, shown, withoutUnprintable } from '../finding/printable.js';
import { scriptMixture } from './scripts.js';

/** A domain name in its two spellings. */
export interface DomainName {
  /** As it was typed. */
  input: string;
  /** A-labels, lower case, without the final dot: what is typed at a DNS provider. */
  ascii: string;
  /** U-labels: what people read. */
  unicode: string;
}

/** A name, or why it is none. */
export type ParsedDomainName =
  | { ok: true; name: DomainName }
  /** `suggestion`: the name that was probably meant, where what was typed holds one. */
  | { ok: false; finding: Finding; suggestion?: string };

/**
 * Reads a domain name as people type it. What merely holds one, such as a URL or an e-mail address, is refused with the
 * name in it as a suggestion. Nothing is asked of the network.
 */
export function parseDomainName(input: string): ParsedDomainName {
  const fault = wrappingFault(input) ?? nameFault(input);
  if (fault === undefined) return { ok: true, name: spellings(input) };
  const cleaned = cleanedName(input);
  const isBetter =
    cleaned !== input && wrappingFault(cleaned) === undefined && nameFault(cleaned) === undefined;
  const suggestion = isBetter ? spellings(cleaned).unicode : undefined;
  return {
    ok: false,
    finding: findingOf(input, fault, suggestion),
    ...(suggestion !== undefined && { suggestion }),
  };
}

interface Fault {
  id: FindingId;
  /** Continues `"…" `. */
  text: string;
  /** What to do, where that is not to give another name. */
  remedy?: string;
}

/** Octets (RFC 1035, section 2.3.4). The name's limit leaves room for the root and the length bytes. */
const LABEL_MAX = 63;
const NAME_MAX = 253;

/** Names that never lead anywhere outside (RFC 6761, RFC 6762, RFC 7686, RFC 9476). `.test` is for testing. */
const CLOSED_TOP_LEVELS: ReadonlySet<string> = new Set([
  'alt',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
]);

/** What is around a name. */
function wrappingFault(input: string): Fault | undefined {
  if (input.trim() === '') return { id: 'name.invalid', text: 'is empty' };
  if (!isPrintable(input)) return { id: 'name.invalid', text: 'holds control or invisible characters' };
  if (isAddress(input)) return { id: 'name.ip', text: 'is an IP address, not a domain name' };
  if (/^[a-z][a-z\d+.-]*:\/\/|^\/\//i.test(input))
    return { id: 'name.invalid', text: 'is a URL; give the host name alone' };
  if (/\s/u.test(input)) return { id: 'name.invalid', text: 'holds a space' };
  if (input.includes('@'))
    return { id: 'name.invalid', text: 'is an e-mail address or holds a user name; give the domain alone' };
  if (/[/?#\\]/.test(input)) return { id: 'name.invalid', text: 'holds a path; give the host name alone' };
  if (/:\d*$/.test(input)) return { id: 'name.invalid', text: 'holds a port; give the host name alone' };
  return undefined;
}

/** What is wrong with the name itself. */
function nameFault(input: string): Fault | undefined {
  // Fullwidth letters and the ideographic full stop are what an input method makes of plain ones.
  const labels = withoutFinalDot(input.normalize('NFKC').replaceAll('。', '.')).split('.');
  if (labels.some((label) => label.includes('*'))) {
    const isWildcard = labels[0] === '*' && !labels.slice(1).join('').includes('*');
    return isWildcard
      ? { id: 'name.wildcard', text: 'is a wildcard; a domain is attached name by name' }
      : { id: 'name.invalid', text: 'holds an asterisk' };
  }
  if (labels.some((label) => label === ''))
    return { id: 'name.invalid', text: 'has an empty label: two dots in a row, or one in front' };
  if (labels.some((label) => label.includes('_')))
    return { id: 'name.invalid', text: 'holds an underscore, which host names do not have' };
  if (isNumeric(labels.at(-1))) return { id: 'name.ip', text: 'is an IP address, not a domain name' };
  const plain = labels.join('.');
  const odd = /[\u0000-\u007f]/.exec(plain.replaceAll(/[a-z\d.-]/gi, ''));
  if (odd !== null) return { id: 'name.invalid', text: `holds "${odd[0]}"` };
  if (labels.some((label) => /^-|-$/.test(label)))
    return { id: 'name.invalid', text: 'has a label that begins or ends with a hyphen' };
  const long = labels.find((label) => /^[\u0000-\u007f]*$/.test(label) && label.length > LABEL_MAX);
  if (long !== undefined) return longLabel(long);
  return asciiFault(domainToASCII(plain)) ?? mixtureFault(plain);
}

/**
 * Who types letters of several scripts has as a rule pasted a look-alike of the name that is meant, and every answer would be
 * about another domain. In ASCII nobody types a letter by mistake.
 */
function mixtureFault(plain: string): Fault | undefined {
  const mixture = scriptMixture(plain);
  if (mixture === undefined) return undefined;
  return {
    id: 'name.idn',
    text: `mixes scripts in "${shown(mixture.label, LABEL_MAX)}": ${printable(mixture.text)}`,
    remedy: `See that every letter is the one you mean. If they all are, give the name in ASCII: ${domainToASCII(plain)}.`,
  };
}

/** The same limits hold for what a name outside ASCII becomes. */
function asciiFault(ascii: string): Fault | undefined {
  if (ascii === '') return { id: 'name.invalid', text: 'is not a valid international name' };
  const labels = ascii.split('.');
  const long = labels.find((label) => label.length > LABEL_MAX);
  if (long !== undefined) return longLabel(long);
  if (ascii.length > NAME_MAX)
    return { id: 'name.invalid', text: `is ${ascii.length} characters long; ${NAME_MAX} is the most` };
  if (labels.some((label) => label.startsWith('xn--') && domainToASCII(domainToUnicode(label)) !== label)) {
    return { id: 'name.invalid', text: 'has a label that begins with xn-- and encodes nothing' };
  }
  const { publicSuffix, isIcann } = parseSuffix(ascii);
  if (publicSuffix === ascii && isIcann === true) {
    return { id: 'name.public-suffix', text: 'is a public suffix, below which others register their names' };
  }
  if (labels.length === 1)
    return {
      id: 'name.invalid',
      text: 'is a single label; a domain has at least two, such as shop.example.com',
    };
  const top = labels.at(-1) ?? '';
  if (CLOSED_TOP_LEVELS.has(top))
    return { id: 'name.invalid', text: `ends with .${top}, which does not exist in public DNS` };
  return undefined;
}

function longLabel(label: string): Fault {
  return { id: 'name.invalid', text: `has a label of ${label.length} characters; ${LABEL_MAX} is the most` };
}

function spellings(input: string): DomainName {
  const ascii = domainToASCII(withoutFinalDot(input.normalize('NFKC').replaceAll('。', '.')));
  const unicode = domainToUnicode(ascii);
  // What would not be seen, or does not lead back, is shown as it is on the wire.
  const isShowable = isPrintable(unicode) && domainToASCII(unicode) === ascii;
  return { input, ascii, unicode: isShowable ? unicode : ascii };
}

/** The name within a URL, an e-mail address, a wildcard and the like. */
function cleanedName(input: string): string {
  const visible = withoutUnprintable(input).trim();
  const withoutScheme = visible.replace(/^([a-z][a-z\d+.-]*:)?\/\//i, '').replace(/^mailto:/i, '');
  const host = withoutScheme.split(/[/?#\\]/)[0] ?? '';
  const withoutUser = host.slice(host.lastIndexOf('@') + 1);
  return withoutUser
    .replace(/:\d*$/, '')
    .replace(/^(\*\.)+/, '')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^\.|\.$/g, '');
}

/** IPv4 and IPv6, in brackets, with a zone or with a port. */
function isAddress(input: string): boolean {
  const text = input
    .trim()
    .replace(/^([a-z][a-z\d+.-]*:)?\/\//i, '')
    .replace(/[/?#].*$/, '');
  const inBrackets = /^\[([^\]]*)\](:\d*)?$/.exec(text)?.[1];
  const withoutPort = text.replace(/^([^:]*):\d*$/, '$1');
  return ipFamily(inBrackets ?? text) !== 0 || ipFamily(withoutPort) !== 0 || isNumericHost(withoutPort);
}

/** What a browser would read as an IPv4 address: `1.2.3`, `0x7f.1`, `2130706433`. */
function isNumericHost(host: string): boolean {
  return /^[\dxa-f.]+$/i.test(host) && isNumeric(withoutFinalDot(host).split('.').at(-1));
}

function isNumeric(label: string | undefined): boolean {
  return label !== undefined && /^(\d+|0x[\da-f]*)$/i.test(label);
}

function withoutFinalDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** A URL may hold a password, which is not to be repeated. */
function withoutUser(input: string): string {
  return input.replace(/^(\s*(?:[a-z][a-z\d+.-]*:)?\/\/)?.*@/is, (user, scheme: string | undefined) =>
    scheme !== undefined || user.includes(':') ? `${scheme ?? ''}…@` : user,
  );
}

const REMEDY = 'Give the name of a host that you own, such as shop.example.com.';

function findingOf(input: string, { id, text, remedy }: Fault, suggestion: string | undefined): Finding {
  const typed = shown(withoutUser(input), 80);
  return {
    id,
    axis: 'name',
    severity: 'block',
    message: `"${typed}" ${text}.`,
    fix: {
      action: 'other',
      text: suggestion === undefined ? (remedy ?? REMEDY) : `Did you mean ${suggestion}?`,
      records: [],
    },
    evidence: [{ text: `typed: ${typed}` }],
  };
}
