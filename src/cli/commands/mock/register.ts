import { DEFAULT_KEY, MOCK_PLANS, parseFault } from '../../../mock/index.js';
import { describeFields } from '../../help/describe-fields.js';
import { addExamples } from '../../help/examples.js';
import type { CommandDeclaration } from '../../command-line/plain-line.js';
import { choice, durationMs, quoted, wholeNumber } from '../../command-line/flag-values.js';
import type { Bind } from '../../session/action.js';
import { UsageError } from '../../errors/usage-error.js';
import { FAULT_COLUMNS, listFaults } from './faults.js';
import { readRecordFlags } from './record/record-flags.js';
import { recordMock, serveMock, type ServeOptions } from './serve.js';

const PORT_DEFAULT = '4010';
const HOST_DEFAULT = '127.0.0.1';

export function registerMock(program: CommandDeclaration, bind: Bind): void {
  const mock = program
    .command('mock')
    .description('Serve an embedded mock of the service over HTTP until ^C or SIGTERM.')
    .argument('[subcommand]', 'serve (default), or faults: list the faults for --fault')
    .option('--host <address>', 'Address to listen on', HOST_DEFAULT)
    .option('--port <n>', 'Port to listen on; 0 means any free port', PORT_DEFAULT)
    .option('--key <key>', `Valid API key with its own pets; repeatable (default ${DEFAULT_KEY})`, append)
    .option('--plan <plan>', `Plan of every key: ${MOCK_PLANS.join(', ')}`, 'free')
    .option('--pets <n>', 'Number of generated pets (default 25)')
    .option('--seed <n>', 'Seed of the generated pets and random faults (default 1)')
    .option('--data <file>', 'Keep the pets in this file across restarts; one mock per file')
    .option(
      '--fault <spec>',
      'Inject a fault, such as flaky or rate-limit:seconds=5; repeatable',
      (spec: string, before: readonly string[] | undefined) => append(readFault(spec), before),
    )
    .option('--latency <duration>', 'Delay every response, such as 200ms')
    .option('--replay <file>', 'Respond from a HAR recording; keys and limits are not checked')
    .option(
      '--record <file>',
      'Forward to --upstream, and record in this new HAR file without keys and cookies',
    )
    .option('--upstream <url>', 'Base URL of the service to record')
    .option(
      '--redact <field>',
      'With --record, remove the values of this JSON property, parameter or header; repeatable',
      append,
    )
    .option('--no-ui', 'Do not serve the page at /__mock/ that shows and controls the mock')
    .option('--ready-file <file>', 'Write addresses and keys to this JSON file when ready; removed on exit')
    .option('--dns-port <n>', 'Also serve DNS over UDP and TCP on 127.0.0.x; 0 means any free port')
    .option('--dns-zone <file>', 'Add zones from a zone file; repeatable', append)
    .action((word: string | undefined, flags: Record<string, unknown>) => {
      if (word === 'faults') return bind(listFaults, {});
      if (word !== undefined && word !== 'serve') throw unknownArgument(word);
      const recording = readRecordFlags(flags, (flag) => mock.getOptionValueSource(flag) === 'cli');
      const options = readServeOptions(flags);
      if (recording === undefined) return bind(serveMock, options);
      const { host, port, readyFile } = options;
      return bind(recordMock, {
        ...{ ...recording, host, port },
        ...(readyFile === undefined ? {} : { readyFile }),
      });
    });
  describeFields(mock, FAULT_COLUMNS);
  addExamples(
    mock,
    [
      'petstore mock',
      'petstore mock faults',
      'petstore mock serve --port 0 --ready-file mock.json',
      'petstore mock serve --plan free --fault rate-limit:seconds=5',
      'petstore mock serve --data pets.json --latency 200ms',
      'petstore mock --record trace.har --upstream https://pets.example/v1',
      'petstore mock --replay trace.har',
      'petstore mock --dns-port 5353 --dns-zone shop.zone',
    ],
    'Domain names of the mock DNS: petstore help mock-dns',
  );
}

/** Collects the values of a repeatable flag. */
function append(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function readServeOptions(flags: Readonly<Record<string, unknown>>): ServeOptions {
  const { pets, seed, data, latency, replay, readyFile, dnsPort } = flags;
  // Each is a list that `append` returned.
  const [keys, faults, dnsZoneFiles] = [flags.key, flags.fault, flags.dnsZone].map(
    (values) => (values as readonly string[] | undefined) ?? [],
  ) as [readonly string[], readonly string[], readonly string[]];
  if (dnsZoneFiles.length > 0 && dnsPort === undefined) {
    throw new UsageError('--dns-zone needs --dns-port', 'Add a port for DNS, such as --dns-port 5353.');
  }
  return {
    host: String(flags.host),
    port: wholeNumber('--port', 0, 65_535, String(flags.port)),
    keys: keys.length === 0 ? [DEFAULT_KEY] : keys,
    plan: choice('--plan', MOCK_PLANS, String(flags.plan)),
    ...(typeof pets === 'string' ? { pets: wholeNumber('--pets', 0, 1_000_000, pets) } : {}),
    ...(typeof seed === 'string' ? { seed: wholeNumber('--seed', 0, 2 ** 32 - 1, seed) } : {}),
    ...(typeof data === 'string' ? { dataFile: data } : {}),
    ...(typeof replay === 'string' ? { replayFile: replay } : {}),
    faults,
    latencyMs: typeof latency === 'string' ? durationMs('--latency', latency) : 0,
    ...(typeof readyFile === 'string' ? { readyFile } : {}),
    ...(typeof dnsPort === 'string' ? { dnsPort: wholeNumber('--dns-port', 0, 65_535, dnsPort) } : {}),
    dnsZoneFiles,
    ui: flags.ui !== false,
  };
}

function unknownArgument(word: string): UsageError {
  return new UsageError(
    `Unknown argument of petstore mock: ${quoted(word)}`,
    'Run "petstore mock --help" for its flags and examples.',
  );
}

function readFault(spec: string): string {
  try {
    parseFault(spec);
    return spec;
  } catch (error) {
    throw new UsageError(
      `--fault: ${error instanceof Error ? error.message : String(error)}`,
      'Run "petstore mock faults" for the faults, their parameters and examples.',
      error,
    );
  }
}
