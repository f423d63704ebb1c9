import type { GivenFlag } from '../../../command-line/flag.js';
import { UsageError } from '../../../errors/usage-error.js';

/** The flags that only the mock itself uses. */
const MOCK_ONLY = [
  ...['--key', '--pets', '--seed', '--data', '--fault', '--latency', '--replay'],
  ...['--dns-port', '--dns-zone', '--no-ui', '--plan'],
];

/** @throws UsageError if a flag of a recording is missing, or a given one has no effect on it. */
export function checkRecordFlags(given: readonly GivenFlag[]): void {
  const isGiven = (flag: string): boolean => given.some(({ name }) => name === flag);
  if (!isGiven('--record')) {
    const alone = ['--upstream', '--redact'].find(isGiven);
    if (alone === undefined) return;
    throw new UsageError(`${alone} needs --record`, 'Add the file to write, such as --record trace.har.');
  }
  if (!isGiven('--upstream')) {
    throw new UsageError(
      '--record needs --upstream',
      'Add the base URL of the service, such as --upstream https://HOST/v1.',
    );
  }
  const other = MOCK_ONLY.find(isGiven);
  if (other !== undefined) {
    throw new UsageError(
      `${other} can't be combined with --record, which forwards to a service`,
      'Use one of the two.',
    );
  }
}
