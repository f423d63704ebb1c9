import { createMock, DEFAULT_KEY, type Mock, MockDataError } from '../../../mock/index.js';
import { readInput } from '../../system/files/input-file.js';
import type { LockedFiles } from '../../../security/locked-files.js';
import type { Session } from '../../session/session.js';
import { EXIT } from '../../errors/exit-codes.js';
import { UsageError } from '../../errors/usage-error.js';
import { announce } from './announce.js';
import { lockDataFile, notADataFile, openDataFile } from './data-file.js';
import { listenOrExplain } from './listen-or-explain.js';
import type { MockOptions } from './mock-flags.js';
import { createRequestLog } from './request-log.js';
import { leftOutNote, notARecording, readReplayFile } from './replay-file.js';
import { checkReadyFile } from './ready-file.js';
import { untilStopped } from './until-stopped.js';

/** The action of `petstore mock`. */
export async function serveMock(options: MockOptions, session: Session): Promise<number> {
  const { dataFile, readyFile } = options;
  if (readyFile !== undefined) checkReadyFile(readyFile, session.context);
  const lock = dataFile === undefined ? undefined : await lockDataFile(dataFile, session.context);
  try {
    return await serveUntilStopped(options, session, lock?.files);
  } finally {
    lock?.release();
  }
}

async function serveUntilStopped(
  options: MockOptions,
  session: Session,
  files: LockedFiles | undefined,
): Promise<number> {
  const { context } = session;
  const { port, host, dnsPort, controlHost } = options;
  const inputs = await Promise.all(options.dnsZoneFiles.map((file) => readInput(file, context, '')));
  const zones = inputs.map(({ text }) => text);
  const dataFile =
    options.dataFile === undefined || files === undefined
      ? undefined
      : openDataFile(options.dataFile, context, files);
  const log = await createRequestLog(session);
  const { replayFile } = options;
  const replay = replayFile === undefined ? undefined : readReplayFile(replayFile, context);
  const mock = createMockOrExplain(options, { zones, replay, snapshot: dataFile?.read() });
  const leftOut = leftOutNote(replayFile ?? '', mock.state());
  if (leftOut !== undefined) session.note(leftOut);
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
    pid: context.processId,
    id: mock.instance,
    url,
    baseUrl,
    port: server.port,
    ...(dns === undefined ? {} : { dns }),
    ...(web === undefined ? {} : { web }),
    keys: keysOf(options),
  };
  const warn = (error: unknown): void => session.warn(error instanceof Error ? error.message : String(error));
  await untilStopped(options.readyFile, session, {
    address,
    start: () => dataFile?.follow(mock, warn),
    announce: () => announce(address, options, session),
    close: () => server.close(),
  });
  log.summarize();
  try {
    dataFile?.save();
  } catch (error) {
    // The signal that stopped the mock would hide an error.
    warn(error);
    return EXIT.failed;
  }
  return EXIT.ok;
}

function keysOf({ keys }: MockOptions): readonly string[] {
  return keys.length === 0 ? [DEFAULT_KEY] : keys;
}

/** Converts the option errors of createMock() to usage errors. */
function createMockOrExplain(
  options: MockOptions,
  { zones, ...files }: { zones: readonly string[]; replay: unknown; snapshot: unknown },
): Mock {
  const { plan, faults, latencyMs = 0, pets, seed, journalMax } = options;
  try {
    return createMock({
      ...files,
      keys: keysOf(options),
      plan,
      faults,
      latencyMs,
      dns: { zones },
      ...(pets === undefined ? {} : { pets }),
      ...(seed === undefined ? {} : { seed }),
      ...(journalMax === undefined ? {} : { journalMax }),
    });
  } catch (error) {
    if (error instanceof MockDataError) {
      throw error.option === 'replay'
        ? notARecording(options.replayFile ?? '', error)
        : notADataFile(options.dataFile ?? '', error);
    }
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message, 'Run "petstore mock --help" for the values of its flags.', error);
  }
}
