/** A label whose letters are of scripts that do not belong together. */
export interface ScriptMixture {
  label: string;
  /** Its letters in words, such as `Latin letters with Cyrillic "а" (U+0430)`. */
  text: string;
}

/**
 * The first label of a name that mixes scripts beyond what UTS #39, section 5.2 calls "highly restrictive": letters of one
 * script, or of Latin with those that Japanese, Chinese or Korean is written in. Others are as good as never meant: one letter
 * of another script that looks the same makes another domain, which somebody else may own. Digits, hyphens and marks belong to
 * every script.
 */
export function scriptMixture(unicodeName: string): ScriptMixture | undefined {
  for (const label of unicodeName.split('.')) {
    const letters = lettersOf(label);
    if (PROFILES.some((profile) => letters.every((letter) => isOf(letter, profile)))) continue;
    return { label, text: textOf(letters) };
  }
  return undefined;
}

/** The first label of Cyrillic letters that all look Latin: of one script, and easily taken for another name. */
export function latinLookalike(unicodeName: string): string | undefined {
  return unicodeName
    .split('.')
    .find((label) => /^[аеосрхуіјѕԛԝһӏ\d-]+$/u.test(label) && /[^\d-]/.test(label));
}

interface Letter {
  character: string;
  /** Most have one; some are used in several (Unicode's Script_Extensions). */
  scripts: readonly string[];
}

/** ASCII goes without a table, since nearly all names are of it. */
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

/** The script of most letters, and each letter that is not of it. */
function textOf(letters: readonly Letter[]): string {
  const counts = new Map<string, number>();
  for (const { scripts } of letters)
    for (const script of scripts) counts.set(script, (counts.get(script) ?? 0) + 1);
  const [main = OTHER] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  const strangers = letters.filter((letter) => !isOf(letter, [main]));
  const words = strangers.map(({ character, scripts: [script = OTHER] }) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `${script} "${character}" (U+${code})`;
  });
  return `${main} letters with ${[...new Set(words)].slice(0, 4).join(', ')}`;
}

/** What no name in use is written in counts as one script. */
const OTHER = 'other';

/** Of modern use (UAX #31, table 5: recommended scripts). */
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

let made: readonly { name: string; pattern: RegExp }[] | undefined;

/** Made when a name outside ASCII is first met: the patterns cost more than the rest of a check's start. */
function patterns(): readonly { name: string; pattern: RegExp }[] {
  made ??= SCRIPT_NAMES.map((name) => ({ name, pattern: new RegExp(`\\p{scx=${name}}`, 'u') }));
  return made;
}
