import { UsageError } from '../../../errors/usage-error.js';
import type { RecordOptions } from './record.js';

/** The flags that only the mock itself uses. */
const MOCK_FLAGS = [
  'key',
  'pets',
  'seed',
  'data',
  'fault',
  'latency',
  'replay',
  'dnsPort',
  'dnsZone',
  'ui',
] as const;

/**
 * Reads the flags of a recording.
 *
 * @param given whether the user gave a flag.
 * @returns `undefined` without --record.
 * @throws UsageError if a flag is missing, or has no effect on a recording.
 */
export function readRecordFlags(
  { record, upstream, redact }: Readonly<Record<string, unknown>>,
  given: (flag: string) => boolean,
): Pick<RecordOptions, 'file' | 'upstream' | 'redact'> | undefined {
  if (typeof record !== 'string') {
    const alone = ['upstream', 'redact'].find(given);
    if (alone === undefined) return undefined;
    throw new UsageError(`--${alone} needs --record`, 'Add the file to write, such as --record trace.har.');
  }
  if (typeof upstream !== 'string') {
    throw new UsageError(
      '--record needs --upstream',
      'Add the base URL of the service, such as --upstream https://HOST/v1.',
    );
  }
  const other = [...MOCK_FLAGS, 'plan'].find(given);
  if (other !== undefined) {
    const flag = other === 'ui' ? 'no-ui' : other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(
      `--${flag} can't be combined with --record, which forwards to a service`,
      'Use one of the two.',
    );
  }
  return { file: record, upstream, redact: (redact as readonly string[] | undefined) ?? [] };
}
