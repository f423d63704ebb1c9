import { anyText, argument, type GivenFlag, offering } from '../../command-line/flag.js';
import { quoted } from '../../command-line/flag-values.js';
import { UsageError } from '../../errors/usage-error.js';
import { defineCommand, REJECTS_REQUEST, rejectGlobalFlags } from '../../session/command.js';
import { FAULT_FIELDS, listFaults } from './faults.js';
import { MOCK_FLAGS } from './mock-flags.js';
import { serveMock } from './serve.js';

export const mock = defineCommand({
  word: 'mock',
  description: 'Serve an embedded mock of the service over HTTP until ^C or SIGTERM.',
  arguments: {
    subcommand: argument(
      '[subcommand]',
      'serve (default), or faults: list the faults for --fault',
      offering(['faults', 'serve'], anyText),
    ),
  },
  flags: MOCK_FLAGS,
  fields: FAULT_FIELDS,
  examples: [
    'petstore mock',
    'petstore mock faults',
    'petstore mock serve --port 0 --ready-file mock.json',
    'petstore mock serve --plan free --fault rate-limit:seconds=5',
    'petstore mock serve --data pets.json --latency 200ms',
    'petstore mock --record trace.har --upstream https://pets.example/v1',
    'petstore mock --replay trace.har',
    'petstore mock --dns-port 5353 --dns-zone shop.zone',
  ],
  notes: 'Domain names of the mock DNS: petstore help mock-dns',
  check({ subcommand, dnsZoneFiles, dnsPort }, given) {
    if (subcommand === 'faults') return;
    if (subcommand !== undefined && subcommand !== 'serve') throw unknownArgument(subcommand);
    checkRecordFlags(given);
    if (dnsZoneFiles.length > 0 && dnsPort === undefined)
      throw new UsageError('--dns-zone needs --dns-port', 'Add a port for DNS, such as --dns-port 5353.');
  },
  async run(options, session) {
    if (options.subcommand === 'faults') return listFaults(session);
    const outputHint = 'Pass --ready-file FILE to get the address and the keys as JSON.';
    rejectGlobalFlags(['mock'], { ...REJECTS_REQUEST, output: true, outputHint }, session.global);
    if (options.record === undefined) return serveMock(options, session);
    const { recordRequests } = await import('./record.js');
    return recordRequests(options, session);
  },
});

function unknownArgument(word: string): UsageError {
  return new UsageError(
    `Unknown argument of petstore mock: ${quoted(word)}`,
    'Run "petstore mock --help" for its flags and examples.',
  );
}

/** The flags that only the mock itself uses. */
const MOCK_ONLY = [
  '--key',
  '--pets',
  '--seed',
  '--data',
  '--fault',
  '--latency',
  '--replay',
  '--dns-port',
  '--dns-zone',
  '--no-ui',
  '--plan',
  '--journal',
  '--control-host',
];

/** @throws UsageError if a flag of a recording is missing, or a given one has no effect on it. */
function checkRecordFlags(given: readonly GivenFlag[]): void {
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
