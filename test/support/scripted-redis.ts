import { createServer, type Socket } from 'node:net';
import { listening } from './loopback-port.js';
import { needsRedisPackage } from './redis-package.js';

/** A server on loopback that sends scripted responses in the Redis protocol. */
export interface ScriptedRedis {
  readonly port: number;
  readonly url: string;
  /** The received commands of all connections. */
  readonly commands: readonly (readonly string[])[];
  /** Numbers of connections opened so far and open now. */
  readonly connections: number;
  readonly open: number;
}

/** Returns the raw response to a command, or `undefined` to stay silent. */
export type RedisResponder = (command: readonly string[], socket: Socket) => string | undefined;

/** Starts a server that is closed when the test ends. */
export async function startScriptedRedis(answer: RedisResponder): Promise<ScriptedRedis> {
  needsRedisPackage();
  const commands: (readonly string[])[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      for (let parsed = parseCommand(received); parsed !== undefined; parsed = parseCommand(received)) {
        received = received.slice(parsed.length);
        commands.push(parsed.command);
        const reply = answer(parsed.command, socket);
        if (reply !== undefined) socket.write(reply);
      }
    });
  });
  const port = await listening(server);
  return {
    port,
    url: `redis://127.0.0.1:${String(port)}`,
    commands,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
  };
}

/** Encodes an array of strings. */
export function strings(...values: readonly string[]): string {
  return `*${String(values.length)}\r\n${values.map((value) => `$${String(Buffer.byteLength(value))}\r\n${value}\r\n`).join('')}`;
}

/** The response of the gate's script at noon if nothing is stored. */
export const NOTHING_KEPT = strings('0', '1772366400', '250999', '', '');

/** Reads an array of strings, the only form that a client sends. */
function parseCommand(received: string): { command: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(received);
  if (head === null) return undefined;
  const command: string[] = [];
  let at = head[0].length;
  for (let left = Number(head[1]); left > 0; left -= 1) {
    const length = /^\$(\d+)\r\n/.exec(received.slice(at));
    if (length === null) return undefined;
    at += length[0].length;
    const end = at + Number(length[1]);
    if (received.length < end + 2) return undefined;
    command.push(received.slice(at, end));
    at = end + 2;
  }
  return { command, length: at };
}
