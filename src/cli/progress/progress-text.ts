/** A piece of a progress line. */
export interface ProgressPart {
  text: string;
  /** What is more important stays longer when the line gets narrow. The first to go has the lowest rank. */
  rank: number;
}

const GAP = '  ';
const BAR_WIDTH_MIN = 8;
const BAR_WIDTH_MAX = 32;

/**
 * Puts pieces together in at most so many columns: the least important are left out until the others fit, and what room
 * is left then goes to a bar in front. Plain ASCII, so that a character is a column.
 *
 * @param share how far it has come, 0 to 1; `undefined`, and no bar, where the end is not known.
 */
export function fitProgress(
  share: number | undefined,
  parts: readonly ProgressPart[],
  columns: number,
): string {
  const kept = parts.filter(({ text }) => text !== '');
  const width = (): number => kept.reduce((sum, { text }) => sum + text.length + GAP.length, -GAP.length);
  while (kept.length > 1 && width() > columns) {
    const least = kept.reduce((least, part) => (part.rank < least.rank ? part : least));
    kept.splice(kept.indexOf(least), 1);
  }
  const line = kept.map(({ text }) => text).join(GAP);
  const room = columns - line.length - GAP.length;
  if (share === undefined || !Number.isFinite(columns) || room < BAR_WIDTH_MIN) return line.slice(0, columns);
  return `${bar(share, Math.min(room, BAR_WIDTH_MAX))}${GAP}${line}`;
}

function bar(share: number, width: number): string {
  const inner = width - 2;
  const full = Math.floor(inner * Math.min(1, Math.max(0, share)));
  const tip = full < inner && full > 0 ? '>' : '';
  return `[${'='.repeat(full - tip.length)}${tip}${' '.repeat(inner - full)}]`;
}

/** A rate for people: `250/s`, or `58/min` where that is less than ten a second. */
export function describeRate(perSecond: number): string {
  return perSecond >= 10 ? `${String(Math.round(perSecond))}/s` : `${String(Math.round(perSecond * 60))}/min`;
}

/** A share as whole percent, and 100% only for all of it. */
export function describeShare(share: number): string {
  return `${String(Math.floor(share * 100))}%`;
}
