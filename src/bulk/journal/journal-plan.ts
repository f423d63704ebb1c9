import { BLOCK_ROWS, type InputDigest } from '../input/input-digest.js';
import { MAGIC } from './journal-line.js';
import { toJsonWord, writeRecord } from './journal-record.js';

/** A block of rows: its digest and its tags. */
export const PLAN_BLOCK = /^p ([\w-]{43}) ([\w-]{4,3072})$/;
/** Rows that an earlier import of this journal created. They come before `READY`, so that a crash can't lose them. */
export const PLAN_CREATED = /^i (.+)$/;
/** The last line of a plan. */
export const READY = 'ready';

/** What the plan of an import has in addition to the service and the rows. */
export interface PlanDetails {
  /** Identifies the API key. */
  keyFingerprint?: string | undefined;
  /** The ids of rows that the import before in this journal created, by row. They are not sent. */
  created?: ReadonlyMap<number, bigint>;
}

/** Formats the plan, the first lines of an import: the service, the digest of the rows, and rows that are done. */
export function* formatPlan(
  service: string,
  digest: InputDigest,
  { keyFingerprint, created = new Map() }: PlanDetails = {},
): Generator<string> {
  const words = [...created].map(([row, id]) => writeRecord({ kind: 'created', row, id }));
  const lines = Array.from({ length: Math.ceil(words.length / BLOCK_ROWS) }, (_, line) =>
    words.slice(line * BLOCK_ROWS, (line + 1) * BLOCK_ROWS).join(' '),
  );
  yield `${MAGIC}${toJsonWord({ service, rows: digest.rows, keyFingerprint })}`;
  for (const block of digest.blocks) yield `p ${block.digest} ${block.tags}`;
  for (const line of lines) yield `i ${line}`;
  yield READY;
}

/** The first line of a plan. */
export interface Header {
  service: string;
  rows: number;
  /** Journals of older versions do not have it. */
  keyFingerprint: string | undefined;
}

/** Reads the first line of a plan. Returns `undefined` if it is invalid. */
export function readHeader(body: string): Header | undefined {
  try {
    const header = JSON.parse(body.slice(MAGIC.length)) as Partial<Record<keyof Header, unknown>>;
    const { service, rows, keyFingerprint } = header;
    if (typeof service === 'string' && Number.isSafeInteger(rows) && Number(rows) >= 0)
      return {
        service,
        rows: Number(rows),
        keyFingerprint: typeof keyFingerprint === 'string' ? keyFingerprint : undefined,
      };
  } catch {
    // The caller reports the line.
  }
  return undefined;
}
