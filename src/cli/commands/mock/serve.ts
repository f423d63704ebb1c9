import type { Command } from 'commander';
import {
  createMock,
  DEFAULT_KEY,
  type JournalEntry,
  type Mock,
  MOCK_PLANS,
  type MockPlan,
  type MockSnapshot,
  parseFault,
} from '../../../mock/index.js';
import type { Context } from '../../system/context.js';
import { describeFields } from '../../help/describe-fields.js';
import { addExamples } from '../../help/examples.js';
import { choice, durationMs, quoted, wholeNumber } from '../../command-line/flag-values.js';
import { readInput } from '../../files/input-file.js';
import { rejectRequestFlags } from '../../session/request-flags.js';
import type { Bind, Session } from '../../session/action.js';
import { UsageError } from '../../errors/usage-error.js';
import { announce } from './announce.js';
import { createDataFile, lockDataFile } from './data-file.js';
import { FAULT_COLUMNS, listFaults } from './faults.js';
import { listenOrExplain } from './listen-or-explain.js';
import { createRequestLog } from './request-log.js';
import { notARecording, readReplayFile } from './replay-file.js';
import { removeReadyFile, writeReadyFile } from './ready-file.js';

/** Options of `petstore mock`. */
export interface ServeOptions {
  host: string;
  /** 0 means any free port. */
  port: number;
  keys: readonly string[];
  plan: MockPlan;
  pets?: number;
  seed?: number;
  /** Keeps the pets across restarts. */
  dataFile?: string;
  /** Recording to respond from. */
  replayFile?: string;
  /** In the syntax of `parseFault`. */
  faults: readonly string[];
  latencyMs: number;
  readyFile?: string;
  /** DNS port. 0 means any free port. Absent: no DNS. */
  dnsPort?: number;
  /** Zone files in addition to the built-in zones. */
  dnsZoneFiles: readonly string[];
}

const PORT_DEFAULT = '4010';
const HOST_DEFAULT = '127.0.0.1';

export function registerMock(program: Command, bind: Bind): void {
  const keys: string[] = [];
  const faults: string[] = [];
  const mock = program
    .command('mock')
    .description('Serve an embedded mock of the service over HTTP until ^C or SIGTERM.')
    .argument('[subcommand]', 'serve (default), or faults: list the faults for --fault')
    .option('--host <address>', 'Address to listen on', HOST_DEFAULT)
    .option('--port <n>', 'Port to listen on; 0 means any free port', PORT_DEFAULT)
    .option(
      '--key <key>',
      `Valid API key with its own pets; repeatable (default ${DEFAULT_KEY})`,
      (key: string) => {
        keys.push(key);
      },
    )
    .option('--plan <plan>', `Plan of every key: ${MOCK_PLANS.join(', ')}`, 'free')
    .option('--pets <n>', 'Number of generated pets (default 25)')
    .option('--seed <n>', 'Seed of the generated pets and random faults (default 1)')
    .option('--data <file>', 'Keep the pets in this file across restarts; one mock per file')
    .option(
      '--fault <spec>',
      'Inject a fault, such as flaky or rate-limit:seconds=5; repeatable',
      (spec: string) => {
        faults.push(readFault(spec));
      },
    )
    .option('--latency <duration>', 'Delay every response, such as 200ms')
    .option('--replay <file>', 'Respond from a HAR recording; keys and limits are not checked')
    .option('--ready-file <file>', 'Write addresses and keys to this JSON file when ready; removed on exit')
    .option('--dns-port <n>', 'Also serve DNS over UDP and TCP on 127.0.0.x; 0 means any free port')
    .option(
      '--dns-zone <file>',
      'Add zones from a zone file; repeatable',
      (file: string, before: readonly string[] | undefined) => [...(before ?? []), file],
    )
    .action((word: string | undefined, flags: Record<string, unknown>) => {
      if (word === 'faults') return bind(listFaults, {});
      if (word !== undefined && word !== 'serve') throw unknownArgument(word);
      return bind(serveMock, readServeOptions(flags, keys, faults));
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
      'petstore mock --replay trace.har',
      'petstore mock --dns-port 5353 --dns-zone shop.zone',
    ],
    'Domain names of the mock DNS: petstore help mock-dns',
  );
}

function readServeOptions(
  flags: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  faults: readonly string[],
): ServeOptions {
  const { pets, seed, data, latency, replay, readyFile, dnsPort } = flags;
  const dnsZoneFiles = (flags.dnsZone as readonly string[] | undefined) ?? [];
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
  };
}

async function serveMock(options: ServeOptions, session: Session): Promise<number> {
  const { dataFile } = options;
  rejectRequestFlags('mock', session);
  const unlock = dataFile === undefined ? undefined : await lockDataFile(dataFile, session.context);
  try {
    return await serveUntilStopped(options, session);
  } finally {
    await unlock?.();
  }
}

async function serveUntilStopped(options: ServeOptions, session: Session): Promise<number> {
  const { context } = session;
  const { port, host, dnsPort } = options;
  const inputs = await Promise.all(options.dnsZoneFiles.map((file) => readInput(file, context)));
  const zones = inputs.map(({ text }) => text);
  const dataFile = createDataFile(options.dataFile, context);
  const log = await createRequestLog(session);
  const replay = options.replayFile === undefined ? undefined : readReplayFile(options.replayFile, context);
  const mock = createMockOrExplain({ ...options, zones, replay }, dataFile.snapshot, (entry) => {
    if (entry.method === 'GET') return;
    dataFile.saveSoon(
      () => mock.snapshot(),
      (error) => {
        session.warn(error instanceof Error ? error.message : String(error));
      },
    );
  });
  const server = await listenOrExplain(
    () =>
      mock.listen({
        port,
        host,
        onResponse: (entry, durationMs) => log.write(entry, durationMs),
        ...(dnsPort === undefined ? {} : { dnsPort }),
      }),
    options,
  );
  const { url, baseUrl, dns } = server;
  const self = { pid: context.processId, id: mock.instance };
  try {
    // Fails early if the file is not writable.
    dataFile.save(() => mock.snapshot());
    if (options.readyFile !== undefined) {
      writeReadyFile(
        options.readyFile,
        {
          ...{ ...self, url, baseUrl, port: server.port },
          ...(dns === undefined ? {} : { dns }),
          keys: options.keys,
        },
        context,
      );
    }
    announce({ baseUrl, keys: options.keys, ...(dns === undefined ? {} : { dns }) }, options, session);
    await context.watchReader?.();
    await untilAborted(context.signal);
  } finally {
    if (options.readyFile !== undefined) removeReadyFile(options.readyFile, self, context);
    await server.close();
    dataFile.save(() => mock.snapshot());
  }
  log.summarize();
  return 0;
}

interface MockInput extends ServeOptions {
  zones: readonly string[];
  /** Parsed JSON. */
  replay: unknown;
}

/** Converts the option errors of createMock() to usage errors. */
function createMockOrExplain(
  { keys, plan, faults, latencyMs, pets, seed, zones, replay, replayFile = '' }: MockInput,
  snapshot: MockSnapshot | undefined,
  onRequest: (entry: JournalEntry) => void,
): Mock {
  try {
    return createMock({
      ...{ keys, plan, faults, latencyMs, dns: { zones }, onRequest },
      ...(pets === undefined ? {} : { pets }),
      ...(seed === undefined ? {} : { seed }),
      ...(snapshot === undefined ? {} : { snapshot }),
      ...(replay === undefined ? {} : { replay }),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (error.message.startsWith('replay: ')) throw notARecording(replayFile, error);
    throw new UsageError(error.message, 'Run "petstore mock --help" for the values of its flags.', error);
  }
}

function untilAborted(signal: Context['signal']): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
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
