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
import { isLoopback } from '../../config/settings.js';
import type { Context } from '../../system/context.js';
import { addExamples } from '../../help/examples.js';
import { choice, durationMs, quoted, wholeNumber } from '../../command-line/flag-values.js';
import { refuseRequestFlags } from '../../session/request-flags.js';
import { toTerminalLine } from '../../output/index.js';
import type { Bind, Session } from '../../session/action.js';
import { shellWord } from '../../text/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';
import { createDataFile } from './data-file.js';
import { dnsLines, readZones } from './dns-zones.js';
import { listenOrExplain } from './listening.js';
import { type MockAddress, removeReadyFile, writeReadyFile } from './ready-file.js';

/** What `mock serve` is asked for. */
export interface ServeOptions {
  host: string;
  /** 0 takes any free one. */
  port: number;
  keys: readonly string[];
  plan: MockPlan;
  pets?: number;
  seed?: number;
  /** Keeps the animals across restarts. */
  dataFile?: string;
  /** As `parseFault` reads them. */
  faults: readonly string[];
  latencyMs: number;
  readyFile?: string;
  /** Of its DNS; 0 takes any free one. Absent: no DNS. */
  dnsPort?: number;
  /** Zone files on top of the built-in zones. */
  dnsZoneFiles: readonly string[];
}

const PORT_DEFAULT = '4010';
const HOST_DEFAULT = '127.0.0.1';

export function registerMock(program: Command, bind: Bind): void {
  const keys: string[] = [];
  const faults: string[] = [];
  const mock = program
    .command('mock')
    .description('Serve an embedded mock of the service over HTTP, until ^C or SIGTERM: that is exit code 0.')
    .argument('[serve]', 'the only thing it does, so it can be left out')
    .option('--host <address>', 'address to listen on', HOST_DEFAULT)
    .option('--port <n>', 'port to listen on; 0 takes any free one', PORT_DEFAULT)
    .option(
      '--key <key>',
      `a good key; repeatable, each with animals of its own (${DEFAULT_KEY})`,
      (key: string) => {
        keys.push(key);
      },
    )
    .option('--plan <plan>', MOCK_PLANS.join(', '), 'free')
    .option('--pets <n>', 'how many animals to begin with (25)')
    .option('--seed <n>', 'of the animals and of chance; the same on every machine (1)')
    .option('--data <file>', 'keep the animals in this file across restarts')
    .option(
      '--fault <spec>',
      'let something go wrong, such as flaky or rate-limit:seconds=5; repeatable',
      (spec: string) => {
        faults.push(readFault(spec));
      },
    )
    .option('--latency <duration>', 'wait before every answer, such as 200ms')
    .option('--ready-file <file>', 'write address and keys here, as JSON, once it serves; removed at the end')
    .option('--dns-port <n>', 'also serve DNS here, over UDP and TCP, on 127.0.0.x; 0 takes any free port')
    .option(
      '--dns-zone <file>',
      'serve the zones of this file besides the built-in ones; repeatable',
      (file: string, before: readonly string[] | undefined) => [...(before ?? []), file],
    )
    .action((word: string | undefined, flags: Record<string, unknown>) => {
      if (word !== undefined && word !== 'serve') throw unknownWord(word);
      return bind(serveMock, readServeOptions(flags, keys, faults));
    });
  addExamples(
    mock,
    [
      'petstore mock',
      'petstore mock serve --port 0 --ready-file mock.json',
      'petstore mock serve --plan free --fault rate-limit:seconds=5',
      'petstore mock serve --data pets.json --latency 200ms',
      'petstore mock --dns-port 5353 --dns-zone shop.zone',
    ],
    'What its DNS knows, and what is wrong with each name: petstore help mock-dns',
  );
}

function readServeOptions(
  flags: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  faults: readonly string[],
): ServeOptions {
  const { pets, seed, data, latency, readyFile, dnsPort } = flags;
  // What the parser has collected.
  const dnsZoneFiles = (flags.dnsZone as readonly string[] | undefined) ?? [];
  if (dnsZoneFiles.length > 0 && dnsPort === undefined) {
    throw new UsageError(
      '--dns-zone needs --dns-port: without it there is no DNS',
      'such as --dns-port 5353',
    );
  }
  return {
    host: String(flags.host),
    port: wholeNumber('--port', 0, 65_535, String(flags.port)),
    keys: keys.length === 0 ? [DEFAULT_KEY] : keys,
    plan: choice('--plan', MOCK_PLANS, String(flags.plan)),
    ...(typeof pets === 'string' ? { pets: wholeNumber('--pets', 0, 1_000_000, pets) } : {}),
    ...(typeof seed === 'string' ? { seed: wholeNumber('--seed', 0, 2 ** 32 - 1, seed) } : {}),
    ...(typeof data === 'string' ? { dataFile: data } : {}),
    faults,
    latencyMs: typeof latency === 'string' ? durationMs('--latency', latency) : 0,
    ...(typeof readyFile === 'string' ? { readyFile } : {}),
    ...(typeof dnsPort === 'string' ? { dnsPort: wholeNumber('--dns-port', 0, 65_535, dnsPort) } : {}),
    dnsZoneFiles,
  };
}

async function serveMock(options: ServeOptions, session: Session): Promise<number> {
  const { context } = session;
  refuseRequestFlags('mock', session);
  const { port, host, dnsPort } = options;
  const zones = await readZones(options.dnsZoneFiles, context);
  const dataFile = createDataFile(options.dataFile, context);
  const log = logTo(session);
  const mock = createMockOrExplain({ ...options, zones }, dataFile.snapshot, (entry) => {
    log(entry);
    if (entry.method === 'GET') return;
    dataFile.saveSoon(
      () => mock.snapshot(),
      (error) => {
        session.warn(error instanceof Error ? error.message : String(error));
      },
    );
  });
  const server = await listenOrExplain(
    () => mock.listen({ port, host, ...(dnsPort === undefined ? {} : { dnsPort }) }),
    options,
  );
  const { url, baseUrl, dns } = server;
  const self = { pid: context.processId, id: mock.instance };
  try {
    // Before anybody relies on it: whether the file can be written.
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
    await stopOf(context.signal);
  } finally {
    if (options.readyFile !== undefined) removeReadyFile(options.readyFile, self, context);
    await server.close();
    dataFile.save(() => mock.snapshot());
  }
  // Being asked to stop is how a server ends well.
  return 0;
}

/** The mock checks its options by itself: what it refuses is a flag of this command. */
function createMockOrExplain(
  { keys, plan, faults, latencyMs, pets, seed, zones }: ServeOptions & { zones: readonly string[] },
  snapshot: MockSnapshot | undefined,
  onRequest: (entry: JournalEntry) => void,
): Mock {
  try {
    return createMock({
      ...{ keys, plan, faults, latencyMs, dns: { zones }, onRequest },
      ...(pets === undefined ? {} : { pets }),
      ...(seed === undefined ? {} : { seed }),
      ...(snapshot === undefined ? {} : { snapshot }),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message, 'petstore mock --help shows what its flags take', error);
  }
}

function announce(
  { baseUrl, keys, dns }: Pick<MockAddress, 'baseUrl' | 'keys' | 'dns'>,
  options: ServeOptions,
  session: Session,
): void {
  const [first = '', ...more] = keys;
  const lines = [`export PETSTORE_BASE_URL=${shellWord(baseUrl)} PETSTORE_API_KEY=${shellWord(first)}`];
  for (const key of more) lines.push(`# also good: PETSTORE_API_KEY=${shellWord(key)}`);
  if (dns !== undefined) lines.push(...dnsLines(dns));
  session.context.stdout.write(`${lines.join('\n')}\n`);
  if (!isLoopback(options.host)) {
    session.warn(`--host ${options.host} opens the mock to every machine that can reach this one`);
  }
  session.note(`mock of the pet store service at ${baseUrl}, plan ${options.plan}; ^C stops it`);
}

function logTo({ context, global }: Session): (entry: JournalEntry) => void {
  if (global.quiet) return () => undefined;
  return ({ at, method, path, query, status, fault }) => {
    const time = new Date(at).toISOString().slice(11, 19);
    const target = query === '' ? path : `${path}?${query.replace(/^\?/, '')}`;
    const outcome = status === undefined ? 'no answer' : String(status);
    context.stderr.write(
      `${toTerminalLine(`${time} ${method} ${target} ${outcome}${fault === undefined ? '' : ` (${fault})`}`)}\n`,
    );
  };
}

function stopOf(signal: Context['signal']): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function unknownWord(word: string): UsageError {
  return new UsageError(
    `petstore mock does not know ${quoted(word)}`,
    'petstore mock --help shows the flags and examples',
  );
}

function readFault(spec: string): string {
  try {
    parseFault(spec);
    return spec;
  } catch (error) {
    throw new UsageError(
      `--fault: ${error instanceof Error ? error.message : String(error)}`,
      'petstore mock --help shows examples',
      error,
    );
  }
}
