import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VERSION } from '../../../version.js';
import { isLoopback } from '../../../client/internal.js';
import { checkBaseUrl } from '../../settings/config/base-url.js';
import { networkSettings } from '../../settings/network/proxy.js';
import type { Session } from '../../session/session.js';
import { variable } from '../../system/context.js';
import { shellWord } from '../../errors/shell-word.js';
import { listenOrExplain } from './listen-or-explain.js';
import type { MockOptions } from './mock-flags.js';
import { checkReadyFile } from './ready-file.js';
import { createRequestLog, type LoggedRequest } from './request-log.js';
import { untilStopped } from './until-stopped.js';
import { forward } from './forward.js';
import { createHarFile } from './har-file.js';
import { harEntry } from './har-entry.js';
import { createExchangeRedactor } from './redact-exchange.js';

/** Forwards requests to a service, and records them until ^C or SIGTERM. */
export async function recordRequests(options: MockOptions, session: Session): Promise<number> {
  const { context, global } = session;
  // The flags of a recording are checked together.
  const { record = '', upstream: baseUrl = '', readyFile } = options;
  if (readyFile !== undefined) checkReadyFile(readyFile, context);
  const { href, origin, pathname } = new URL(checkBaseUrl('--upstream', baseUrl));
  const transport = await context.network(await networkSettings(href, global.caFile, context));
  const upstream = { transport, origin, prefix: pathname.replace(/\/$/, '') };
  const redactor = createExchangeRedactor(options.redact, (secret) => context.keyMask?.add(secret));
  const ownKey = variable(context, 'PETSTORE_API_KEY');
  if (ownKey !== undefined) redactor.learn({ authorization: `Bearer ${ownKey}` });
  const log = await createRequestLog(session);
  const file = createHarFile(record, VERSION, context);
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const at = new Date(context.clock.now());
    const { status, exchange, isAborted } = await forward(incoming, outgoing, upstream, context.clock);
    try {
      if (exchange !== undefined) file.append(harEntry(exchange, redactor));
    } catch (error) {
      session.warn(error instanceof Error ? error.message : String(error));
    }
    const { method = 'GET', url = '' } = incoming;
    const [path = '', query = ''] = url.split('?', 2);
    const target = { method, path: redactor.text(path), query: redactor.query(query) };
    const line: LoggedRequest = { at, ...target, status, ...(isAborted && { aborted: true }) };
    log.write(line, context.clock.now() - at.getTime());
  };
  try {
    await serve(respond, options, session);
  } finally {
    file.close();
    await transport.close();
  }
  log.summarize();
  return 0;
}

async function serve(
  respond: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  options: MockOptions,
  session: Session,
): Promise<void> {
  const { context } = session;
  const { host } = options;
  const { createServer } = process.getBuiltinModule('node:http');
  const inFlight = new Set<Promise<void>>();
  const server = createServer((incoming, outgoing) => {
    const response = respond(incoming, outgoing).finally(() => inFlight.delete(response));
    inFlight.add(response);
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
      await Promise.all(inFlight);
    },
  });
}

function announce(
  baseUrl: string,
  { host, upstream = '', record = '' }: MockOptions,
  session: Session,
): void {
  session.note(`Recording requests to ${new URL(upstream).host} in ${record}. Press ^C to stop.`);
  if (session.terminal.stdout.isTTY) session.note('In another terminal, run:');
  session.context.stdout.write(`export PETSTORE_BASE_URL=${shellWord(baseUrl)}\n`);
  if (!isLoopback(host))
    session.warn(`With --host ${host}, other machines can send requests to the service.`);
}
