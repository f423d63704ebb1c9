import { connect } from 'node:net';
import { type TransportResult, queryFailure, socketFailure, withinLimits } from './transport-result.js';
import type { ExchangeLimits } from './concurrency/stop-signal.js';
import type { DnsServer } from './dns.js';

const PREFIX_BYTES = 2;

/** Sends a query over a new TCP connection. Two bytes before each message are its length (RFC 7766, section 8). */
export function exchangeOverTcp(
  server: DnsServer,
  query: Buffer,
  limits: ExchangeLimits,
): Promise<TransportResult> {
  return withinLimits(limits, (end) => {
    let length: number | undefined;
    const socket = connect({ host: server.address, port: server.port, noDelay: true });
    // Prefix and message in one segment: some servers fail on a partial query.
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt16BE(query.length);
    socket.write(Buffer.concat([prefix, query]));
    // read() returns null until there are enough bytes, and fewer at the end.
    socket.on('readable', () => {
      if (length === undefined) {
        const start = socket.read(PREFIX_BYTES) as Buffer | null;
        if (start?.length === PREFIX_BYTES) length = start.readUInt16BE();
      }
      const message = length === undefined ? null : (socket.read(length) as Buffer | null);
      if (message !== null && message.length === length) end({ kind: 'message', message });
    });
    socket.on('error', (error) => {
      end(socketFailure(error));
    });
    socket.once('end', () => {
      end(
        socket.bytesRead === 0
          ? queryFailure('unreachable', 'connection closed before a response')
          : queryFailure('malformed', 'truncated response'),
      );
    });
    return () => {
      socket.destroy();
    };
  });
}
