import { getServers } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Socket } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { type Endpoint, endpointOf } from './endpoint.js';

/** Looks at the machine and at how others answer it. Nothing of a request is sent. */
export interface Inspector {
  /** The resolvers that this machine asks, in its order. */
  resolvers(): readonly string[];
  /**
   * Asks one of them for the addresses of a name.
   *
   * @throws an Error of which the message is the resolver's code, such as `ENOTFOUND`; the signal's reason where that
   *   comes first.
   */
  resolve(name: string, resolver: string, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Connects, by a proxy where one is named, and shakes hands where the door is one of TLS.
   *
   * @throws HandshakeFailure that says how far it came; the signal's reason where that comes first.
   */
  shakeHands(door: Door, signal: AbortSignal): Promise<Handshake>;
}

/** Where to knock. */
export interface Door extends Endpoint {
  /** May hold a password. */
  proxyUrl?: string;
  /** Whom to trust besides the usual authorities: certificates in PEM. */
  authorities?: string;
}

/** Who answered. */
export interface Handshake {
  /** Of whom the connection is to: the proxy, where there is one. */
  address: string;
  /** Absent without TLS. */
  certificate?: ShownCertificate;
  /** Such as `TLSv1.3`; absent likewise. */
  protocol?: string;
}

/** A certificate as it was shown. */
export interface ShownCertificate {
  issuer: string;
  /** Milliseconds since the epoch. */
  validTo: number;
  /** Why it is not accepted, such as `CERT_HAS_EXPIRED`; absent where it is. */
  distrust?: string;
}

/** How far it came before it failed. */
export type HandshakeStep = 'name' | 'connection' | 'proxy' | 'tls';

/** Nobody answered, or not as was hoped for. */
export class HandshakeFailure extends Error {
  override readonly name = 'HandshakeFailure';
  readonly step: HandshakeStep;

  constructor(step: HandshakeStep, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.step = step;
  }
}

export function createInspector(): Inspector {
  return { resolvers: getServers, resolve, shakeHands };
}

async function resolve(name: string, server: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const stop = (): void => {
    resolver.cancel();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    resolver.setServers([server]);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    const [first] = answers;
    // A name may well have addresses of one kind only.
    if (answers.some(({ status }) => status === 'fulfilled'))
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    throw new Error(first.status === 'rejected' ? reasonOf(first.reason) : 'no reason given');
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function shakeHands(door: Door, signal: AbortSignal): Promise<Handshake> {
  const sockets: Socket[] = [];
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([knock(door, (socket) => sockets.push(socket)), stopped]);
  } finally {
    // The one that wraps another first: Node 20 dies of the other order.
    for (const socket of sockets.reverse()) socket.destroy();
  }
}

async function knock(door: Door, onSocket: (socket: Socket) => void): Promise<Handshake> {
  const { host, port, isTls, authorities } = door;
  const socket = await connect(door, onSocket);
  const address = socket.remoteAddress ?? 'unknown';
  if (!isTls) return { address };
  const secure = await secured({ socket, host, port, authorities }, 'tls', onSocket);
  const protocol = secure.getProtocol();
  return {
    address,
    certificate: shownCertificate(secure),
    ...(protocol === null ? {} : { protocol }),
  };
}

/** A connection to the door itself, through the proxy where there is one. */
async function connect(door: Door, onSocket: (socket: Socket) => void): Promise<Socket> {
  if (door.proxyUrl === undefined) return opened(door.host, door.port, onSocket);
  const proxy = new URL(door.proxyUrl);
  const { host, port, isTls } = endpointOf(proxy);
  const plain = await opened(host, port, onSocket);
  const { authorities } = door;
  const socket = isTls ? await secured({ socket: plain, host, port, authorities }, 'proxy', onSocket) : plain;
  await askForTunnel(socket, door, proxy);
  return socket;
}

function opened(host: string, port: number, onSocket: (socket: Socket) => void): Promise<Socket> {
  const socket = process.getBuiltinModule('node:net').connect({ host, port });
  onSocket(socket);
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      resolve(socket);
    });
    socket.on('error', (error) => {
      reject(new HandshakeFailure(isOfName(error) ? 'name' : 'connection', error));
    });
  });
}

interface Securing {
  socket: Socket;
  host: string;
  port: number;
  authorities: string | undefined;
}

/** Accepts every certificate of the service, so that it can be looked at; of a proxy none that is not trusted. */
function secured(
  { socket, host, port, authorities }: Securing,
  step: 'tls' | 'proxy',
  onSocket: (socket: Socket) => void,
): Promise<TLSSocket> {
  const tls = process.getBuiltinModule('node:tls');
  const isName = process.getBuiltinModule('node:net').isIP(host) === 0;
  const secure = tls.connect({
    socket,
    host,
    port,
    ...(isName ? { servername: host } : {}),
    ...(authorities === undefined ? {} : { ca: [...tls.rootCertificates, authorities] }),
    rejectUnauthorized: step === 'proxy',
  });
  onSocket(secure);
  return new Promise((resolve, reject) => {
    secure.once('secureConnect', () => {
      resolve(secure);
    });
    secure.on('error', (error) => {
      reject(new HandshakeFailure(step, error));
    });
    secure.once('close', () => {
      reject(new HandshakeFailure(step, new Error('the connection was closed')));
    });
  });
}

/** Longer than any proxy needs to say no. */
const HEAD_BYTES_MAX = 16_384;

function askForTunnel(socket: Socket, { host, port }: Door, proxy: URL): Promise<void> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  const words = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
  if (proxy.username !== '' || proxy.password !== '') {
    const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    words.push(`Proxy-Authorization: Basic ${Buffer.from(login).toString('base64')}`);
  }
  socket.write(`${words.join('\r\n')}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    let head = '';
    const refuse = (why: string): void => {
      reject(new HandshakeFailure('proxy', new Error(why)));
    };
    socket.once('close', () => {
      refuse('the proxy closed the connection');
    });
    socket.on('data', function read(chunk: Buffer) {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) {
        if (head.length > HEAD_BYTES_MAX) refuse('the proxy does not answer as one');
        return;
      }
      socket.off('data', read);
      const [, status] = /^HTTP\/1\.\d (\d{3})/.exec(head) ?? [];
      if (status?.startsWith('2') === true) resolve();
      else refuse(status === undefined ? 'the proxy does not answer as one' : `the proxy answered ${status}`);
    });
  });
}

function shownCertificate(socket: TLSSocket): ShownCertificate {
  const certificate = socket.getPeerCertificate();
  // Node's types say an Error; it is the code of one.
  const distrust = socket.authorized ? undefined : String(socket.authorizationError);
  return {
    issuer: issuerOf(certificate),
    validTo: Date.parse(certificate.valid_to),
    ...(distrust === undefined ? {} : { distrust }),
  };
}

/** Node leaves fields out where the certificate does, whatever its types say. */
function issuerOf({ issuer }: PeerCertificate): string {
  const { O, CN } = (issuer ?? {}) as { O?: string | string[]; CN?: string | string[] };
  return [CN ?? O ?? 'nobody named'].flat().join(', ');
}

function isOfName(error: NodeJS.ErrnoException): boolean {
  return error.syscall === 'getaddrinfo';
}

/** The system's code is what people search for; of several addresses the first that says one. */
function reasonOf(cause: unknown): string {
  const inner = (cause as { errors?: unknown }).errors;
  if (Array.isArray(inner) && inner.length > 0) return reasonOf(inner[0]);
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.message;
}
