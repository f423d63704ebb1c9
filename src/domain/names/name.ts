import { domainToASCII, domainToUnicode } from 'node:url';
import { getDomain, parse as parseSuffix } from 'tldts';
import { ipFamily } from '../dns/server-address.js';
import { isPrintable, shown, withoutUnprintable } from './printable.js';
import { withoutMisplacedJoiners } from './joiners.js';

/** A domain name in its two forms. */
export interface DomainName {
  /** As entered. */
  input: string;
  /** A-labels (RFC 5890), lower case, without the final dot: the form for DNS providers. */
  ascii: string;
  /** U-labels (RFC 5890): the form for people. */
  unicode: string;
}

/** Why an input is no domain name. */
export interface NameProblem {
  id: 'name.invalid' | 'name.ip' | 'name.public-suffix' | 'name.wildcard';
  /** What is wrong, to follow the quoted input. */
  text: string;
  /** The input as messages quote it. */
  entered: string;
  /** The name that was probably meant, if the input contains one. */
  suggestion: string | undefined;
}

/** Reads a domain name as people enter it. */
export function readDomainName(input: string): DomainName | NameProblem {
  const problem = inputProblem(input) ?? nameProblem(input);
  if (problem === undefined) return domainName(input);
  const cleaned = cleanedName(input);
  const isBetter =
    cleaned !== input && inputProblem(cleaned) === undefined && nameProblem(cleaned) === undefined;
  return {
    id: problem.id ?? 'name.invalid',
    text: problem.text,
    entered: shown(withoutUser(input), 80),
    suggestion: isBetter ? domainName(cleaned).unicode : undefined,
  };
}

/** A problem, without what depends on the input. */
interface FoundProblem {
  /** @default 'name.invalid' */
  id?: NameProblem['id'];
  text: string;
}

/** Octets (RFC 1035, section 2.3.4). 253 characters are 255 octets with the length bytes. */
const LABEL_MAX = 63;
const NAME_MAX = 253;

/** Top-level domains outside public DNS (RFC 6761, RFC 6762, RFC 7686, RFC 9476). `.test` is allowed, for tests. */
const PRIVATE_TOP_LEVELS: ReadonlySet<string> = new Set([
  'alt',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
]);

/** ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER. */
const JOINERS = /[\u200c\u200d]/g;

/** The problem of input that is not a bare name. */
function inputProblem(input: string): FoundProblem | undefined {
  if (input.trim() === '') return { text: 'is empty' };
  // Joiners are invisible, but some scripts need them (RFC 5892, appendix A).
  if (!isPrintable(input.replaceAll(JOINERS, '')))
    return { text: 'contains control or invisible characters' };
  if (isAddress(input)) return IP_ADDRESS;
  return NOT_BARE.find(({ pattern }) => pattern.test(input));
}

const IP_ADDRESS: FoundProblem = { id: 'name.ip', text: 'is an IP address, not a domain name' };

/** A byte in decimal, as in zone files and in the output of dig (RFC 1035, section 5.1). */
const ESCAPE = /\\(\d{3})/;

const NOT_BARE = [
  { pattern: /^[a-z][a-z\d+.-]*:\/\/|^\/\//i, text: 'is a URL; enter only the host name' },
  { pattern: /\s/u, text: 'contains a space' },
  { pattern: ESCAPE, text: 'contains a backslash escape; enter only letters, digits and hyphens' },
  { pattern: /@/, text: 'is an e-mail address or contains a user name; enter only the domain' },
  { pattern: /[/?#\\]/, text: 'contains a path; enter only the host name' },
  { pattern: /:\d*$/, text: 'contains a port; enter only the host name' },
];

/** The problem of an invalid name. */
function nameProblem(input: string): FoundProblem | undefined {
  const hidden = hiddenDot(input);
  if (hidden !== undefined) return { text: `contains "${shown(hidden)}", which is not a dot between labels` };
  const labels = withoutFinalDot(plainText(input)).split('.');
  if (labels.some((label) => label.includes('*'))) {
    const isWildcard = labels[0] === '*' && !labels.slice(1).join('').includes('*');
    return isWildcard
      ? { id: 'name.wildcard', text: 'is a wildcard; add each domain by its full name' }
      : { text: 'contains an asterisk' };
  }
  if (labels.some((label) => label === ''))
    return { text: 'has an empty label: two dots in a row, or a dot at the start' };
  if (labels.some((label) => label.includes('_')))
    return { text: 'contains an underscore, which is not allowed in host names' };
  if (isNumeric(labels.at(-1))) return IP_ADDRESS;
  const plain = labels.join('.');
  if (withoutMisplacedJoiners(plain) !== plain) return MISPLACED_JOINER;
  const odd = /[\u0000-\u007f]/.exec(plain.replaceAll(/[a-z\d.-]/gi, ''));
  if (odd !== null) return { text: `contains "${odd[0]}"` };
  if (labels.some((label) => /^-|-$/.test(label)))
    return { text: 'has a label that starts or ends with a hyphen' };
  const long = labels.find((label) => /^[\u0000-\u007f]*$/.test(label) && label.length > LABEL_MAX);
  if (long !== undefined) return longLabel(long);
  return asciiProblem(domainToASCII(plain));
}

/** The problem of an invalid ASCII form. */
function asciiProblem(ascii: string): FoundProblem | undefined {
  if (ascii === '') return { text: 'is not a valid international name' };
  const unicode = domainToUnicode(ascii);
  if (withoutMisplacedJoiners(unicode) !== unicode) return MISPLACED_JOINER;
  const labels = ascii.split('.');
  // Characters that the mapping removes may have been the whole label.
  if (labels.some((label) => label === '')) return { text: 'has a label of invisible characters only' };
  const long = labels.find((label) => label.length > LABEL_MAX);
  if (long !== undefined) return longLabel(long);
  if (ascii.length > NAME_MAX) return { text: `has ${ascii.length} characters; the limit is ${NAME_MAX}` };
  if (labels.some((label) => label.startsWith('xn--') && !isPunycode(label))) {
    return { text: 'has a label that starts with xn-- and is not valid Punycode' };
  }
  const { publicSuffix, isIcann } = parseSuffix(ascii);
  if (publicSuffix === ascii && isIcann === true) {
    return { id: 'name.public-suffix', text: 'is a public suffix; domains are registered below it' };
  }
  if (labels.length === 1)
    return {
      text: 'is a single label; a domain has at least two, such as shop.example.com',
    };
  const top = labels.at(-1) ?? '';
  if (PRIVATE_TOP_LEVELS.has(top)) return { text: `ends with .${top}, which does not exist in public DNS` };
  return undefined;
}

/** Whether a label is the ASCII form of a Unicode label. Newer Node releases return an invalid label unchanged. */
function isPunycode(label: string): boolean {
  const unicode = domainToUnicode(label);
  return unicode !== label && domainToASCII(unicode) === label;
}

const MISPLACED_JOINER: FoundProblem = {
  text: 'contains an invisible joiner (U+200C or U+200D) where it is not allowed',
};

function longLabel(label: string): FoundProblem {
  return { text: `has a label of ${label.length} characters; the limit is ${LABEL_MAX}` };
}

/**
 * Replaces fullwidth letters and ideographic full stops, which input methods insert. Maps the capital sharp s to the
 * small one (UTS #46): Node releases before Unicode 15.1 map it to "ss", which is another name.
 */
function plainText(input: string): string {
  return input.replaceAll('\u1e9e', 'ß').normalize('NFKC').replaceAll('。', '.');
}

/** The first character that NFKC would turn into text with a dot, but UTS #46 disallows, such as U+2024 and U+2488. */
function hiddenDot(input: string): string | undefined {
  if (/^[ -~]*$/.test(input)) return undefined;
  return Array.from(input).find(
    (character) => !/[.\u3002\uff0e\uff61]/.test(character) && character.normalize('NFKC').includes('.'),
  );
}

function domainName(input: string): DomainName {
  const ascii = domainToASCII(withoutFinalDot(plainText(input)));
  const unicode = domainToUnicode(ascii);
  // Names with invisible characters, or whose Unicode form is ambiguous, are shown in ASCII.
  const isShowable = isPrintable(unicode) && domainToASCII(unicode) === ascii;
  return { input, ascii, unicode: isShowable ? unicode : ascii };
}

/** The name within a URL, an e-mail address or a wildcard. */
function cleanedName(input: string): string {
  const readable = input.replace(new RegExp(ESCAPE, 'g'), (_, code: string) => plainByte(Number(code)));
  // Joiners in their place belong to the name.
  const visible = withoutMisplacedJoiners(readable)
    .split(/([\u200c\u200d])/)
    .map((part, index) => (index % 2 === 0 ? withoutUnprintable(part) : part))
    .join('')
    .trim();
  const withoutScheme = visible.replace(/^([a-z][a-z\d+.-]*:)?\/\//i, '').replace(/^mailto:/i, '');
  const host = withoutScheme.split(/[/?#\\]/)[0] ?? '';
  const withoutUser = host.slice(host.lastIndexOf('@') + 1);
  return withoutUser
    .replace(/:\d*$/, '')
    .replace(/^(\*\.)+/, '')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^\.|\.$/g, '');
}

/** The character of a byte, if host names allow it. */
function plainByte(code: number): string {
  const character = String.fromCharCode(code);
  return /[a-z\d-]/i.test(character) ? character : '';
}

/** IPv4 and IPv6, in brackets, with a zone or with a port. */
function isAddress(input: string): boolean {
  const text = input
    .trim()
    .replace(/^([a-z][a-z\d+.-]*:)?\/\//i, '')
    .replace(/[/?#].*$/s, '');
  const inBrackets = /^\[([^\]]*)\](:\d*)?$/.exec(text)?.[1];
  const withoutPort = text.replace(/^([^:]*):\d*$/, '$1');
  return ipFamily(inBrackets ?? text) !== 0 || ipFamily(withoutPort) !== 0 || isNumericHost(withoutPort);
}

/** Whether browsers parse the host as an IPv4 address: `1.2.3`, `0x7f.1`, `2130706433` (WHATWG URL). */
function isNumericHost(host: string): boolean {
  return /^[\dxa-f.]+$/i.test(host) && isNumeric(withoutFinalDot(host).split('.').at(-1));
}

function isNumeric(label: string | undefined): boolean {
  return label !== undefined && /^(\d+|0x[\da-f]*)$/i.test(label);
}

function withoutFinalDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** Hides a user name and password, because messages repeat the input. */
function withoutUser(input: string): string {
  return input.replace(/^(\s*(?:[a-z][a-z\d+.-]*:)?\/\/)?.*@/is, (user, scheme: string | undefined) =>
    scheme !== undefined || user.includes(':') ? `${scheme ?? ''}…@` : user,
  );
}

/**
 * The private suffix of a name, such as `github.io`: the public suffix list has it because its owner gives the names below
 * it to customers. `undefined` for a name below the suffix of a registry.
 */
export function privateSuffixOf(name: string): string | undefined {
  const { publicSuffix, isPrivate } = parseSuffix(name, { allowPrivateDomains: true });
  return isPrivate === true ? (publicSuffix ?? undefined) : undefined;
}

/** Whether a name is a suffix of a registry, such as `com` or `co.uk`. */
export function isRegistrySuffix(name: string): boolean {
  const { publicSuffix, isIcann } = parseSuffix(name);
  return publicSuffix === name && isIcann === true;
}

/**
 * The registrable domain of a name by the public suffix list, such as `example.co.uk` for `shop.example.co.uk`. For an
 * unlisted suffix, the last two labels; for a public suffix, the suffix itself.
 */
export function registrableOf(name: string): string {
  return getDomain(name) ?? name;
}
