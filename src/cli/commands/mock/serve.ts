import { createMock, type Mock, MockDataError, type MockPlan } from '../../../mock/index.js';
import { parseJsonInput, readInput } from '../../files/input-file.js';
import { describeFileError, readRegularFile } from '../../files/safe-file.js';
import { resolvePath } from '../../files/resolve-path.js';
import type { Context } from '../../system/context.js';
import { rejectOutputFlags, rejectRequestFlags } from '../../session/request-flags.js';
import type { Session } from '../../session/action.js';
import { UsageError } from '../../errors/usage-error.js';
import { announce } from './announce.js';
import { lockDataFile, notADataFile, openDataFile } from './data-file.js';
import { listenOrExplain } from './listen-or-explain.js';
import { createRequestLog } from './request-log.js';
import type { RecordOptions } from './record/record.js';
import { checkReadyFile } from './ready-file.js';
import { untilStopped } from './until-stopped.js';

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
  /** Whether to serve the page at `/__mock/`. */
  ui: boolean;
}

/** The action of `petstore mock --record`. */
export async function recordMock(options: RecordOptions, session: Session): Promise<number> {
  rejectFlags(session);
  return (await import('./record/record.js')).recordRequests(options, session);
}

function rejectFlags(session: Session): void {
  rejectRequestFlags('mock', session);
  rejectOutputFlags('mock', session, 'Pass --ready-file FILE to get the address and the keys as JSON.');
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
  const { port, host, dnsPort } = options;
  const inputs = await Promise.all(options.dnsZoneFiles.map((file) => readInput(file, context)));
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
    keys: options.keys,
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

interface MockInput extends ServeOptions {
  zones: readonly string[];
  /** Parsed JSON. */
  replay: unknown;
  /** Parsed JSON of the data file. */
  snapshot: unknown;
}

/** Converts the option errors of createMock() to usage errors. */
function createMockOrExplain(input: MockInput): Mock {
  const { keys, plan, faults, latencyMs, pets, seed, zones, replay, snapshot } = input;
  try {
    return createMock({
      ...{ keys, plan, faults, latencyMs, dns: { zones } },
      ...(pets === undefined ? {} : { pets }),
      ...(seed === undefined ? {} : { seed }),
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
