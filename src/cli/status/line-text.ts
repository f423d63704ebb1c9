import type { WaitReason } from '../../client/internal.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import { describeDuration, timeOfRetry } from '../../time/duration.js';
import { toTerminalLine } from '../output/index.js';

/** A part of a progress line. */
export interface ProgressPart {
  text: string;
  /** Importance. If the line is too long, the parts with the lowest rank are dropped first. */
  rank: number;
}

const GAP = '  ';
const BAR_WIDTH_MIN = 8;
const BAR_WIDTH_MAX = 32;

/**
 * Joins parts into a line that fits the columns, with a progress bar in front if there is room. The parts are ASCII, so
 * that one character is one column.
 *
 * @param share progress from 0 to 1; `undefined` (no bar) if the end is unknown.
 */
export function fitProgress(
  share: number | undefined,
  parts: readonly ProgressPart[],
  columns: number,
): string {
  const shown = parts.filter(({ text }) => text !== '');
  const width = (): number => shown.reduce((sum, { text }) => sum + text.length + GAP.length, -GAP.length);
  while (shown.length > 1 && width() > columns) {
    const least = shown.reduce((least, part) => (part.rank < least.rank ? part : least));
    shown.splice(shown.indexOf(least), 1);
  }
  const line = shown.map(({ text }) => text).join(GAP);
  const room = columns - line.length - GAP.length;
  if (share === undefined || room < BAR_WIDTH_MIN) return line.slice(0, columns);
  return `${bar(share, Math.min(room, BAR_WIDTH_MAX))}${GAP}${line}`;
}

function bar(share: number, width: number): string {
  const inner = width - 2;
  const full = Math.floor(inner * Math.min(1, Math.max(0, share)));
  const tip = full < inner && full > 0 ? '>' : '';
  return `[${'='.repeat(full - tip.length)}${tip}${' '.repeat(inner - full)}]`;
}

/** Formats a rate: `250/s`, or `58/min` below ten per second. */
export function describeRate(perSecond: number): string {
  return perSecond >= 10 ? `${String(Math.round(perSecond))}/s` : `${String(Math.round(perSecond * 60))}/min`;
}

/** Formats a share in whole percent, rounded down. */
export function describeShare(share: number): string {
  return `${String(Math.floor(share * 100))}%`;
}

/** What the client last received. */
export interface LastEvents {
  rateLimit?: RateLimit;
  /** Status of the last response; `undefined` after a failure without one. */
  status?: number | undefined;
  /** Why there was no response. */
  failure?: string | undefined;
}

/** Describes a wait of the client. */
export function describeWait(reason: WaitReason, last: LastEvents, until: number, leftMs: number): string {
  const action = reason === 'paced' ? 'Sending' : 'Retrying';
  return `${causeOf(reason, last)}. ${action} in ${describeDuration(leftMs)}, at ${timeOfRetry(until, until - leftMs)}.`;
}

/** Describes why the client waits. */
export function causeOf(reason: WaitReason, { rateLimit, status, failure }: LastEvents): string {
  if (reason === 'backoff') {
    const found = status === undefined ? failure : String(status);
    return found === undefined ? 'Request failed' : `Request failed (${toTerminalLine(found)})`;
  }
  const text = reason === 'rate-limited' ? 'Rate limit reached' : 'Rate limit used up';
  if (rateLimit === undefined) return text;
  const window = { minute: '/min', day: '/day', unknown: '' }[rateLimit.window ?? 'unknown'];
  return `${text} (${String(rateLimit.limit)}${window})`;
}
