import { connect } from 'node:net';
import { type TransportResult, queryFailure, socketFailure, withinLimits } from './transport-result.js';
import type { ExchangeLimits } from '../concurrency/stop-signal.js';
import type { DnsServer } from './dns.js';

const PREFIX_BYTES = 2;

/** Sends a query over a new TCP connection. Two bytes before each message are its length (RFC 7766, section 8). */
export function exchangeOverTcp(
  server: DnsServer,
  query: Buffer,
  limits: ExchangeLimits,
): Promise<TransportResult> {
  return withinLimits(limits, (end) => {
    const frame = createFrame();
    const socket = connect({ host: server.address, port: server.port, noDelay: true });
    // Prefix and message in one segment: some servers fail on a partial query.
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt16BE(query.length);
    socket.write(Buffer.concat([prefix, query]));
    socket.on('data', (chunk: Buffer) => {
      const result = frame.add(chunk);
      if (result !== undefined) end(result);
    });
    socket.on('error', (error) => {
      end(socketFailure(error));
    });
    socket.once('end', () => {
      end(frame.truncated());
    });
    return () => {
      socket.destroy();
    };
  });
}

/** Collects the first message of a stream and ignores the rest. */
function createFrame(): { add(chunk: Buffer): TransportResult | undefined; truncated(): TransportResult } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let expectedBytes: number | undefined;
  return {
    add(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (expectedBytes === undefined && bytes >= PREFIX_BYTES) {
        expectedBytes = PREFIX_BYTES + Buffer.concat(chunks).readUInt16BE(0);
      }
      if (expectedBytes === undefined || bytes < expectedBytes) return undefined;
      return { kind: 'message', message: Buffer.concat(chunks).subarray(PREFIX_BYTES, expectedBytes) };
    },
    truncated() {
      return bytes === 0
        ? queryFailure('unreachable', 'connection closed before a response')
        : queryFailure('malformed', 'truncated response');
    },
  };
}
