/** A label that mixes scripts. */
export interface ScriptMixture {
  label: string;
  /** The scripts to show, such as `Latin letters with Cyrillic "а" (U+0430)`. */
  text: string;
}

/**
 * Finds the first label of a name that mixes scripts beyond the "Highly Restrictive" level of UTS #39, section 5.2. That
 * level allows one script, or Latin with the scripts of Japanese, Chinese or Korean. Such a label mostly contains a look-alike letter,
 * and is another domain, which may have another owner. Digits, hyphens and combining marks count as every script.
 */
export function scriptMixture(unicodeName: string): ScriptMixture | undefined {
  for (const label of unicodeName.split('.')) {
    const letters = lettersOf(label);
    if (PROFILES.some((profile) => letters.every((letter) => isOf(letter, profile)))) continue;
    return { label, text: textOf(letters) };
  }
  return undefined;
}

/** Finds the first label with only Cyrillic letters that look Latin. It has one script, but is easily confused. */
export function latinLookalike(unicodeName: string): string | undefined {
  return unicodeName
    .split('.')
    .find((label) => /^[аеосрхуіјѕԛԝһӏ\d-]+$/u.test(label) && /[^\d-]/.test(label));
}

/**
 * Removes the joiners that RFC 5892, appendix A, does not allow. It allows both after a virama, and ZERO WIDTH NON-JOINER
 * between joining letters. Node.js accepts these in Arabic and Syriac only.
 */
export function withoutMisplacedJoiners(name: string): string {
  if (!/[\u200c\u200d]/.test(name)) return name;
  const allowed = new Set(Array.from(name.matchAll(allowedJoiners()), ({ index }) => index));
  return name.replaceAll(/[\u200c\u200d]/g, (joiner, at: number) => (allowed.has(at) ? joiner : ''));
}

/** The viramas of recommended scripts (canonical combining class 9). */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u17d2]`;
/** Letters that join on neither side, or only with the letter before (Unicode Joining_Type U and R). */
const NOT_JOINING = String.raw`\u0621\u0674\u06d5`;
const JOINING_BEFORE = String.raw`\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06ee\u06ef\u0710\u0715-\u0719\u071e\u0728\u072a\u072c\u072f\u074d`;
const JOINING = String.raw`[\p{Script=Arabic}\p{Script=Syriac}](?<=\p{L})`;

function allowedJoiners(): RegExp {
  return new RegExp(
    String.raw`(?<=${VIRAMA})[\u200c\u200d]|(?<=(?![${NOT_JOINING}${JOINING_BEFORE}])${JOINING}\p{Mn}*)\u200c(?=\p{Mn}*(?![${NOT_JOINING}])${JOINING})`,
    'gu',
  );
}

interface Letter {
  character: string;
  /** Mostly one; some letters are used in several (Unicode Script_Extensions). */
  scripts: readonly string[];
}

/** The letters of a label with their scripts. Fast for ASCII, which nearly all names use. */
function lettersOf(label: string): Letter[] {
  return Array.from(label).flatMap((character): Letter[] => {
    if (/[a-z]/i.test(character)) return [{ character, scripts: ['Latin'] }];
    if (character <= '\u007f' || /[\p{scx=Common}\p{scx=Inherited}]/u.test(character)) return [];
    const scripts = patterns().flatMap(({ name, pattern }) => (pattern.test(character) ? [name] : []));
    return [{ character, scripts: scripts.length === 0 ? [OTHER] : scripts }];
  });
}

function isOf({ scripts }: Letter, profile: readonly string[]): boolean {
  return scripts.some((script) => profile.includes(script));
}

/** Describes the main script, and each letter of another. */
function textOf(letters: readonly Letter[]): string {
  const counts = new Map<string, number>();
  for (const { scripts } of letters)
    for (const script of scripts) counts.set(script, (counts.get(script) ?? 0) + 1);
  const [main = OTHER] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  const others = letters.filter((letter) => !isOf(letter, [main]));
  const texts = others.map(({ character, scripts: [script = OTHER] }) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `${script} "${character}" (U+${code})`;
  });
  return `${main} letters with ${[...new Set(texts)].slice(0, 4).join(', ')}`;
}

/** All scripts that are not recommended for names count as one. */
const OTHER = 'other';

/** Recommended scripts (UAX #31, table 5). */
const SCRIPT_NAMES = [
  ...['Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek'],
  ...['Gujarati', 'Gurmukhi', 'Han', 'Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao'],
  ...['Latin', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
] as const;

const PROFILES: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
  [OTHER],
  ...SCRIPT_NAMES.map((name) => [name]),
];

let compiled: readonly { name: string; pattern: RegExp }[] | undefined;

/** Compiled for the first non-ASCII name, because they take longer than the rest of a check's start. */
function patterns(): readonly { name: string; pattern: RegExp }[] {
  compiled ??= SCRIPT_NAMES.map((name) => ({ name, pattern: new RegExp(`\\p{scx=${name}}`, 'u') }));
  return compiled;
}
