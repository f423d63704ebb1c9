import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HostErrorStatus } from '../service/message.js';
import type { Handler } from './handler.js';

/** Responds to bytes that node:http can't parse, and closes the connection. */
export function rejectUnparsable(
  handler: Pick<Handler, 'hostError'>,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = PARSE_ERROR_STATUS[error.code ?? ''] ?? 400;
  const { headers, body } = handler.hostError(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const statusLine = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`;
  socket.end([statusLine, ...lines, 'connection: close', '', body].join('\r\n'));
}

const PARSE_ERROR_STATUS: Readonly<Record<string, HostErrorStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** RFC 9112, section 3.2: one Host in an HTTP/1.1 request, and a valid one (RFC 9110, section 7.2). */
function hasValidHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return false;
    host = rawHeaders[index + 1];
  }
  if (host === undefined) return httpVersion !== '1.1';
  return /^(?:\[[\da-f:.]+\]|[\w\-.~%!$&'()*+;=]*)(?::\d*)?$/i.test(host);
}

/** Returns the status for a request that the service can't read, with a message. */
export function problemOf(request: IncomingMessage): [status: HostErrorStatus, message?: string] | undefined {
  if (!hasValidHost(request)) return [400, 'The request needs one valid header Host'];
  const coding = request.headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  // RFC 9112, section 6.1: the length of the body is not certain.
  if (request.httpVersion === '1.0') return [400, 'HTTP/1.0 has no Transfer-Encoding'];
  return /^\s*chunked\s*$/i.test(coding) ? undefined : [501];
}
