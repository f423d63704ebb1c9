import { printable, UNPRINTABLE } from '../../schema/control-characters.js';

const LENGTH_MAX = 200;

/** Whether a text is safe to print unchanged. */
export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) < 0;
}

/** Replaces the characters that are not safe to print. */
export function withoutUnprintable(text: string, instead = ''): string {
  return text.replaceAll(UNPRINTABLE, instead);
}

/** Makes untrusted text safe to print, and truncates it. */
export function shown(text: string, lengthMax = LENGTH_MAX): string {
  return printable(clipped(text, lengthMax));
}

/** Truncates a long text. */
export function clipped(text: string, lengthMax = LENGTH_MAX): string {
  const characters = Array.from(text.slice(0, 2 * lengthMax + 1));
  return characters.length <= lengthMax ? text : `${characters.slice(0, lengthMax - 1).join('')}…`;
}

/** Items that a sentence lists at most. */
export const LISTED_MAX = 8;

/** Joins items: `a`, `a and b`, `a, b and c`. Above the limit: `a, b and 7 more`. */
export function listed(items: readonly string[], itemsMax = LISTED_MAX): string {
  const shown = items.length > itemsMax ? items.slice(0, itemsMax - 1) : items;
  const all = items.length > itemsMax ? [...shown, `${items.length - shown.length} more`] : shown;
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

/**
 * One sentence for each reason, with the hosts that it holds for: `ns1.example.net and ns2.example.net: REFUSED.`
 * Sentences stay short: at most three of them, each with at most three hosts. The evidence has all of them.
 */
export function reasonSentences(failures: readonly { host: string; reason: string }[]): string {
  const hostsByReason = new Map<string, string[]>();
  for (const { host, reason } of failures) {
    const hosts = hostsByReason.get(reason);
    if (hosts === undefined) hostsByReason.set(reason, [host]);
    else if (!hosts.includes(host)) hosts.push(host);
  }
  const sentences = [...hostsByReason].map(([reason, hosts]) => `${listed(hosts, 3)}: ${reason}.`);
  return sentences.slice(0, 3).join(' ');
}
