/**
 * The first label of a name whose letters are of scripts that do not belong together, or that consists of Cyrillic
 * letters which all look Latin. East Asian mixtures, with Latin among them, are ordinary (UTS 39, "highly restrictive").
 */
export function mixedScriptLabel(unicodeName: string): string | undefined {
  return unicodeName.split('.').find((label) => isMixed(label) || looksLatin(label));
}

function isMixed(label: string): boolean {
  const scripts = new Set(Array.from(label).flatMap((character) => scriptOf(character) ?? []));
  return scripts.size > 1 && !ORDINARY.some((mixture) => [...scripts].every((script) => mixture.has(script)));
}

/** `undefined` for digits, hyphens and marks, which belong to every script; `Other` for a script not listed. */
function scriptOf(character: string): string | undefined {
  if (/[\p{Script=Common}\p{Script=Inherited}]/u.test(character)) return undefined;
  return SCRIPTS.find(({ pattern }) => pattern.test(character))?.name ?? 'Other';
}

const SCRIPTS = [
  { name: 'Latin', pattern: /\p{Script=Latin}/u },
  { name: 'Han', pattern: /\p{Script=Han}/u },
  { name: 'Hiragana', pattern: /\p{Script=Hiragana}/u },
  { name: 'Katakana', pattern: /\p{Script=Katakana}/u },
  { name: 'Hangul', pattern: /\p{Script=Hangul}/u },
  { name: 'Bopomofo', pattern: /\p{Script=Bopomofo}/u },
  { name: 'Cyrillic', pattern: /\p{Script=Cyrillic}/u },
  { name: 'Greek', pattern: /\p{Script=Greek}/u },
];

const ORDINARY: readonly ReadonlySet<string>[] = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Bopomofo']),
  new Set(['Latin', 'Han', 'Hangul']),
];

function looksLatin(label: string): boolean {
  return /\p{Script=Cyrillic}/u.test(label) && /^[аеосрхуіјѕԛԝһӏ\d-]+$/u.test(label);
}
