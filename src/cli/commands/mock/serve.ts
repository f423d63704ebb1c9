import {
  createMock,
  DEFAULT_KEY,
  FAULT_NAMES,
  type Mock,
  MOCK_PLANS,
  MockDataError,
  parseFault,
} from '../../../mock/index.js';
import {
  aDuration,
  anyText,
  between,
  offering,
  oneOf,
  option,
  type Reader,
  repeatable,
  toggle,
  type ValuesOf,
} from '../../command-line/flag.js';
import { quoted } from '../../command-line/flag-values.js';
import { parseJsonInput, readInput } from '../../system/files/input-file.js';
import { describeFileError, readRegularFile } from '../../system/files/safe-file.js';
import { resolvePath } from '../../system/files/resolve-path.js';
import type { Context } from '../../system/context.js';
import { REJECTS_REQUEST, rejectGlobalFlags } from '../../session/command.js';
import type { Session } from '../../session/action.js';
import { UsageError } from '../../errors/usage-error.js';
import { announce } from './announce.js';
import { lockDataFile, notADataFile, openDataFile } from './data-file.js';
import { listenOrExplain } from './listen-or-explain.js';
import { createRequestLog } from './request-log.js';
import { checkReadyFile } from './ready-file.js';
import { untilStopped } from './until-stopped.js';

const aSeed = between(0, 2 ** 32 - 1);
const aPort = (example: number): Reader<number> => between(0, 65_535, example);

const aFault: Reader<string> = (spec, flag) => {
  try {
    parseFault(spec);
    return spec;
  } catch (error) {
    throw new UsageError(
      `${flag}: ${error instanceof Error ? error.message : String(error)}`,
      'Run "petstore mock faults" for the faults, their parameters and examples.',
      error,
    );
  }
};

const aControlHost: Reader<string> = (text, flag) => {
  if (/^(?:[\w\-.]+|\[[\da-f:.]+\])$/i.test(text)) return text;
  throw new UsageError(
    `${flag}: ${quoted(text)} is not a host name or an address`,
    'Pass it without scheme and port, such as mock or [fd00::1].',
  );
};

export const MOCK_FLAGS = {
  host: option('--host <address>', 'Address to listen on', anyText, '127.0.0.1'),
  port: option('--port <n>', 'Port to listen on; 0 means any free port', aPort(4_010), '4010'),
  keys: repeatable('--key <key>', `Valid API key with its own pets; repeatable (default ${DEFAULT_KEY})`),
  plan: option('--plan <plan>', `Plan of every key: ${MOCK_PLANS.join(', ')}`, oneOf(MOCK_PLANS), 'free'),
  pets: option('--pets <n>', 'Number of generated pets (default 25)', between(0, 1_000_000)),
  seed: option('--seed <n>', 'Seed of the generated pets and random faults (default 1)', aSeed),
  dataFile: option('--data <file>', 'Keep the pets in this file across restarts; one mock per file'),
  faults: repeatable(
    '--fault <spec>',
    'Inject a fault, such as flaky or rate-limit:seconds=5; repeatable',
    offering(FAULT_NAMES, aFault),
  ),
  latencyMs: option('--latency <duration>', 'Delay every response, such as 200ms', aDuration),
  journalMax: option(
    '--journal <n>',
    'Number of requests that the journal keeps (default 1000)',
    between(1, 1_000_000, 10_000),
  ),
  replayFile: option('--replay <file>', 'Respond from a HAR recording; keys and limits are not checked'),
  record: option(
    '--record <file>',
    'Forward to --upstream, and record in this new HAR file without keys and cookies',
  ),
  upstream: option('--upstream <url>', 'Base URL of the service to record'),
  redact: repeatable(
    '--redact <field>',
    'With --record, remove the values of this JSON property, parameter or header; repeatable',
  ),
  ui: toggle('--no-ui', 'Do not serve the page at /__mock/ that shows and controls the mock'),
  controlHost: option(
    '--control-host <host>',
    'Open /__mock/ to other machines that use this host name, for containers',
    aControlHost,
  ),
  readyFile: option(
    '--ready-file <file>',
    'Write addresses and keys to this JSON file when ready; removed on exit',
  ),
  dnsPort: option(
    '--dns-port <n>',
    'Also serve DNS over UDP and TCP on 127.0.0.x; 0 means any free port',
    aPort(5_353),
  ),
  dnsZoneFiles: repeatable('--dns-zone <file>', 'Add zones from a zone file; repeatable'),
};

/** Options of `petstore mock`. */
export type ServeOptions = ValuesOf<typeof MOCK_FLAGS>;

/** The action of `petstore mock --record`. */
export async function recordMock(options: ServeOptions, session: Session): Promise<number> {
  rejectFlags(session);
  const { record: file = '', upstream = '', redact, host, port, readyFile } = options;
  const { recordRequests } = await import('./record.js');
  return recordRequests({ file, upstream, redact, host, port, readyFile }, session);
}

function rejectFlags(session: Session): void {
  const outputHint = 'Pass --ready-file FILE to get the address and the keys as JSON.';
  rejectGlobalFlags(['mock'], { ...REJECTS_REQUEST, output: true, outputHint }, session.global);
}

/** The action of `petstore mock`. */
export async function serveMock(options: ServeOptions, session: Session): Promise<number> {
  const { dataFile, readyFile } = options;
  rejectFlags(session);
  if (readyFile !== undefined) checkReadyFile(readyFile, session.context);
  const unlock = dataFile === undefined ? undefined : await lockDataFile(dataFile, session.context);
  try {
    return await serveUntilStopped(options, session);
  } finally {
    unlock?.();
  }
}

async function serveUntilStopped(options: ServeOptions, session: Session): Promise<number> {
  const { context } = session;
  const { port, host, dnsPort, controlHost } = options;
  const inputs = await Promise.all(options.dnsZoneFiles.map((file) => readInput(file, context, '')));
  const zones = inputs.map(({ text }) => text);
  const dataFile = openDataFile(options.dataFile, context);
  const log = await createRequestLog(session);
  const replay = options.replayFile === undefined ? undefined : readReplayFile(options.replayFile, context);
  const mock = createMockOrExplain({ ...options, zones, replay, snapshot: dataFile.read() });
  const server = await listenOrExplain(
    () =>
      mock.listen({
        port,
        host,
        ui: options.ui,
        ...(controlHost === undefined ? {} : { controlHost }),
        onResponse: (entry, durationMs) => log.write(entry, durationMs),
        ...(dnsPort === undefined ? {} : { dnsPort, web: {} }),
      }),
    options,
  );
  const { url, baseUrl, dns, web } = server;
  const address = {
    ...{ pid: context.processId, id: mock.instance, url, baseUrl, port: server.port },
    ...(dns === undefined ? {} : { dns }),
    ...(web === undefined ? {} : { web }),
    keys: keysOf(options),
  };
  const warn = (error: unknown): void => session.warn(error instanceof Error ? error.message : String(error));
  await untilStopped(options.readyFile, session, {
    address,
    start: () => dataFile.follow(mock, warn),
    announce: () => announce(address, options, session),
    close: () => server.close(),
  }).finally(dataFile.save);
  log.summarize();
  return 0;
}

type MockInput = ServeOptions & {
  zones: readonly string[];
  /** Parsed JSON. */
  replay: unknown;
  /** Parsed JSON of the data file. */
  snapshot: unknown;
};

function keysOf({ keys }: ServeOptions): readonly string[] {
  return keys.length === 0 ? [DEFAULT_KEY] : keys;
}

/** Converts the option errors of createMock() to usage errors. */
function createMockOrExplain(input: MockInput): Mock {
  const { plan, faults, latencyMs = 0, pets, seed, journalMax, zones, replay, snapshot } = input;
  try {
    return createMock({
      ...{ keys: keysOf(input), plan, faults, latencyMs, dns: { zones } },
      ...(pets === undefined ? {} : { pets }),
      ...(seed === undefined ? {} : { seed }),
      ...(journalMax === undefined ? {} : { journalMax }),
      ...(snapshot === undefined ? {} : { snapshot }),
      ...(replay === undefined ? {} : { replay }),
    });
  } catch (error) {
    if (error instanceof MockDataError) {
      throw error.option === 'replay'
        ? notARecording(input.replayFile ?? '', error)
        : notADataFile(input.dataFile ?? '', error);
    }
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message, 'Run "petstore mock --help" for the values of its flags.', error);
  }
}

/**
 * Reads the JSON of `--replay`. The mock checks its content.
 *
 * @throws UsageError if the file is not readable or not JSON.
 */
function readReplayFile(file: string, context: Context): unknown {
  let text: string;
  try {
    text = readRegularFile(resolvePath(file, context));
  } catch (error) {
    throw new UsageError(
      `Can't read ${file} (${describeFileError(error)})`,
      'Check the path and its permissions.',
      error,
    );
  }
  return parseJsonInput(text, file);
}

function notARecording(file: string, error: MockDataError): UsageError {
  return new UsageError(
    `${file} is not a HAR recording: ${error.problem}`,
    'Fix the file at this place, or record it again with: petstore mock --record FILE --upstream URL.',
    error,
  );
}
