import { quote } from '../../schema/control-characters.js';

/** Maximum length of quoted input in messages, in UTF-16 units. */
const EXCERPT_MAX = 60;

/** Truncates text of the input for a message. */
export function excerpt(text: string): string {
  if (text.length <= EXCERPT_MAX) return text;
  // Not half of a character.
  return `${text.slice(0, EXCERPT_MAX).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns a wrong value for a message: as it is written in JSON, and other text in quotes. */
export function valueText(value: unknown, written?: string): string {
  if (typeof value === 'string') return quote(excerpt(value));
  return excerpt(written ?? (typeof value === 'object' ? 'an object' : String(value)));
}
