import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { VERSION } from '../../../version.js';
import { checkBaseUrl, isLoopback } from '../../settings/config/base-url.js';
import { networkSettings } from '../../settings/network/proxy.js';
import type { Session } from '../../session/action.js';
import { variable } from '../../system/context.js';
import { shellWord } from '../../errors/shell-word.js';
import { listenOrExplain } from './listen-or-explain.js';
import { checkReadyFile } from './ready-file.js';
import { createRequestLog, type RequestLog } from './request-log.js';
import { untilStopped } from './until-stopped.js';
import { forward, type Upstream } from './forward.js';
import { createHarFile, type HarFile } from './har-file.js';
import { harEntry } from './har-entry.js';
import { createRedactor, type Redactor } from './redact-exchange.js';

/** Options of `petstore mock --record`. */
export interface RecordOptions {
  /** The HAR file. */
  file: string;
  /** Base URL of the service. */
  upstream: string;
  /** Names of fields to redact. */
  redact: readonly string[];
  host: string;
  port: number;
  readyFile?: string | undefined;
}

/** Forwards requests to a service, and records them until ^C or SIGTERM. */
export async function recordRequests(options: RecordOptions, session: Session): Promise<number> {
  const { context, global } = session;
  if (options.readyFile !== undefined) checkReadyFile(options.readyFile, context);
  const { href, origin, pathname } = new URL(checkBaseUrl('--upstream', options.upstream));
  const transport = await context.network(await networkSettings(href, global.caFile, context));
  const upstream = { transport, origin, prefix: pathname.replace(/\/$/, '') };
  const redactor = createRedactor(options.redact, (secret) => context.keyMask?.add(secret));
  const ownKey = variable(context, 'PETSTORE_API_KEY');
  if (ownKey !== undefined) redactor.learn({ authorization: `Bearer ${ownKey}` });
  const log = await createRequestLog(session);
  const file = createHarFile(options.file, VERSION, context);
  try {
    await serve({ options, upstream, redactor, log, file }, session);
  } finally {
    file.close();
    await transport.close();
  }
  log.summarize();
  return 0;
}

interface Recording {
  options: RecordOptions;
  upstream: Upstream;
  redactor: Redactor;
  log: RequestLog;
  file: HarFile;
}

async function serve(recording: Recording, session: Session): Promise<void> {
  const { options } = recording;
  const { context } = session;
  const { host } = options;
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((incoming, outgoing) => {
    const at = new Date(context.clock.now());
    void forward(incoming, outgoing, recording.upstream, context.clock).then(({ status, exchange }) => {
      const [path = '', query = ''] = (incoming.url ?? '').split('?', 2);
      const { redactor, log, file } = recording;
      try {
        if (exchange !== undefined) file.append(harEntry(exchange, redactor));
      } catch (error) {
        session.warn(error instanceof Error ? error.message : String(error));
      }
      const { method = 'GET' } = incoming;
      const line = { at, method, path: redactor.text(path), query: redactor.query(query), status };
      log.write(line, context.clock.now() - at.getTime());
    });
  });
  const port = await listenOrExplain(async () => {
    server.listen(options.port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }, options);
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const url = `http://${shownHost}:${String(port)}`;
  const self = { pid: context.processId, id: `record-${String(context.processId)}` };
  await untilStopped(options.readyFile, session, {
    address: { ...self, url, baseUrl: `${url}/v1`, port, keys: [] },
    announce: () => announce(`${url}/v1`, options, session),
    async close() {
      const closed = once(server, 'close');
      server.close();
      // Requests in flight have half a second.
      const deadline = setTimeout(() => server.closeAllConnections(), 500);
      await closed;
      clearTimeout(deadline);
    },
  });
}

function announce(baseUrl: string, { host, upstream, file }: RecordOptions, session: Session): void {
  session.note(`Recording requests to ${new URL(upstream).host} in ${file}. Press ^C to stop.`);
  if (session.terminal.stdout.isTTY) session.note('In another terminal, run:');
  session.context.stdout.write(`export PETSTORE_BASE_URL=${shellWord(baseUrl)}\n`);
  if (!isLoopback(host))
    session.warn(`With --host ${host}, other machines can send requests to the service.`);
}
