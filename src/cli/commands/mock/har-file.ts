import { closeSync, ftruncateSync, lstatSync, openSync, writeSync } from 'node:fs';
import { systemErrorCode, systemErrorReason } from '../../../security/system-error.js';
import { UsageError } from '../../errors/usage-error.js';
import { notWritable, refuseSpecialFile, resolveOutputPath } from '../../system/files/output-file.js';
import type { Context } from '../../system/context.js';

const END = '\n]}}\n';

/**
 * Creates a HAR 1.2 file with mode 0600. It is complete after every entry, also if the process is killed.
 *
 * @throws UsageError if the file exists or is not writable.
 */
export function createHarFile(file: string, version: string, context: Context) {
  const path = resolveOutputPath(file, context);
  let descriptor: number;
  try {
    // Does not follow a planted symbolic link.
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') {
      // Without the hint to remove it: it can be a device.
      refuseSpecialFile(file, lstatSync(path), 'Pass another file with --record.');
      throw new UsageError(`${file} exists`, 'Pass another file with --record, or remove this one.', error);
    }
    throw notWritable(file, error);
  }
  /** Where the next entry starts. */
  let position = 0;
  let count = 0;
  /** One write for the entry and the end of the file, so that no state between them is on the disk. */
  const write = (text: string): void => {
    try {
      writeAll(descriptor, Buffer.from(text + END), position);
    } catch (error) {
      restoreEnd(descriptor, position);
      throw new UsageError(
        `Can't write ${file} (${systemErrorReason(error)})`,
        'Free some space. The recording continues with the next request.',
        error,
      );
    }
    position += Buffer.byteLength(text);
  };
  write(`{"log":{"version":"1.2","creator":${JSON.stringify({ name: 'petstore', version })},"entries":[`);
  return {
    /** @throws UsageError if the entry can't be written. The file is then unchanged. */
    append(entry: object): void {
      write(`${count === 0 ? '' : ','}\n${JSON.stringify(entry)}`);
      count += 1;
    },
    close(): void {
      closeSync(descriptor);
    },
  };
}

function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  }
}

function restoreEnd(descriptor: number, position: number): void {
  try {
    writeAll(descriptor, Buffer.from(END), position);
    ftruncateSync(descriptor, position + END.length);
  } catch {
    // The caller reports the first error.
  }
}
