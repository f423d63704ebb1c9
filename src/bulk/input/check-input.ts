import type { CheckProgress, CheckReport, ReadOptions } from '../import-job.js';
import { InputDigest } from './input-digest.js';
import { readBytes, sizeOfFile, untilAborted } from './input-file.js';
import type { RowFault } from '../rows/row.js';
import { RowReader, type RowSource } from '../rows/row-reader.js';

/** What reading an input once tells. */
export interface CheckedInput {
  report: CheckReport;
  digest: InputDigest;
  /** Of CSV, in their order. */
  columns: readonly string[];
}

/**
 * Reads every row and checks it by the rules of `pets.create`. Nothing is sent, and nothing written.
 *
 * @throws BulkError `unreadable`; the signal's reason.
 */
export async function checkRows(options: ReadOptions): Promise<CheckReport> {
  const { input, signal } = options;
  if (input.kind === 'file')
    return (await checkFile({ ...options, path: input.path, name: input.path })).report;
  const bytes = untilAborted(input.bytes, signal);
  return (await checkBytes(bytes, { ...options, path: '', name: 'the input' })).report;
}

type CheckOptions = RowSource & Pick<ReadOptions, 'faultsMax' | 'signal' | 'onChecked'>;

/** The same of a file, with what an import needs besides. */
export async function checkFile(options: CheckOptions): Promise<CheckedInput> {
  const bytesTotal = await sizeOfFile(options.path);
  return checkBytes(readBytes(options.path, options.signal), options, bytesTotal);
}

/** Faults that are kept unless told otherwise. */
const FAULTS_MAX = 100;

async function checkBytes(
  bytes: AsyncIterable<Uint8Array>,
  options: CheckOptions,
  bytesTotal?: number,
): Promise<CheckedInput> {
  const { faultsMax = FAULTS_MAX, signal, onChecked } = options;
  const reader = new RowReader(options);
  const digest = new InputDigest();
  const faults: RowFault[] = [];
  let faultCount = 0;
  for await (const batch of reader.read(bytes)) {
    signal?.throwIfAborted();
    for (const { pet } of batch.rows) digest.add(pet);
    for (const fault of batch.faults) if (faults.length < faultsMax) faults.push(fault);
    faultCount += batch.faults.length;
    onChecked?.(progress(reader.rowCount, batch.bytes, bytesTotal));
  }
  const { delimiter } = reader;
  return {
    report: {
      format: reader.format ?? 'csv',
      ...(delimiter === undefined ? {} : { delimiter }),
      rows: reader.rowCount,
      faults,
      faultCount,
    },
    digest: digest.end(),
    columns: reader.columns,
  };
}

function progress(rows: number, bytes: number, bytesTotal: number | undefined): CheckProgress {
  return { rows, bytes, ...(bytesTotal === undefined ? {} : { bytesTotal }) };
}
