import { connect } from 'node:net';
import {
  type TransportResult,
  type QueryLimits,
  MESSAGE_BYTES_MAX,
  queryFailure,
  socketFailure,
  withinLimits,
} from './transport-result.js';
import type { DnsServer } from '../dns.js';

const PREFIX_BYTES = 2;

/** Asks over a TCP connection of its own. The message is framed by its length in two bytes (RFC 7766, section 8). */
export function exchangeOverTcp(
  server: DnsServer,
  query: Buffer,
  limits: QueryLimits,
): Promise<TransportResult> {
  return withinLimits(limits, (end) => {
    const frame = createFrame();
    const socket = connect({ host: server.address, port: server.port, noDelay: true });
    // Prefix and message in one piece, or slow servers see half a question.
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt16BE(query.length);
    socket.write(Buffer.concat([prefix, query]));
    socket.on('data', (chunk: Buffer) => {
      const delivery = frame.add(chunk);
      if (delivery !== undefined) end(delivery);
    });
    socket.on('error', (error) => {
      end(socketFailure(error));
    });
    socket.once('end', () => {
      end(frame.cutShort());
    });
    return () => {
      socket.destroy();
    };
  });
}

/** Collects the first message of a stream. What follows it is nobody's. */
function createFrame(): { add(chunk: Buffer): TransportResult | undefined; cutShort(): TransportResult } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let wanted: number | undefined;
  return {
    add(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (wanted === undefined && bytes >= PREFIX_BYTES) {
        wanted = PREFIX_BYTES + Buffer.concat(chunks).readUInt16BE(0);
        if (wanted > PREFIX_BYTES + MESSAGE_BYTES_MAX) {
          return queryFailure('malformed', `more than ${MESSAGE_BYTES_MAX} bytes`);
        }
      }
      if (wanted === undefined || bytes < wanted) return undefined;
      return { kind: 'message', message: Buffer.concat(chunks).subarray(PREFIX_BYTES, wanted) };
    },
    cutShort() {
      return bytes === 0
        ? queryFailure('unreachable', 'connection closed before an answer')
        : queryFailure('malformed', 'an answer cut short');
    },
  };
}
