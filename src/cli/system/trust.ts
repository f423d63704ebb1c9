import type { Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions, PeerCertificate, TLSSocket } from 'node:tls';
import { CONNECT_SIGNAL, type Http } from '../../client/internal.js';
import { isUntrustedCertificate } from '../../security/tls-codes.js';

/** The certificate authorities of a command with `--ca`. */
export interface Trust {
  /** The authorities that connections trust now, in PEM. */
  readonly ca: string[];
  /**
   * Adds Node's own authorities.
   *
   * @param tried the authorities of the connection that failed.
   * @returns whether more authorities are trusted now.
   */
  widen(tried: readonly string[]): boolean;
}

/**
 * Trusts only the given authorities at first. Node parses all of its own authorities for each list that contains them.
 * This takes 45 ms of CPU (bar: a list over https with `--ca`). A service with a certificate of another authority gets a
 * second connection.
 *
 * @param authorities PEM text.
 * @param builtIn adds Node's own authorities to a PEM text.
 */
export function trustFirst(authorities: string, builtIn = withNodeAuthorities): Trust {
  const given = [authorities];
  let ca = given;
  return {
    get ca() {
      return ca;
    },
    widen(tried) {
      if (ca === given) ca = builtIn(authorities);
      return tried === given;
    },
  };
}

/** Adds Node's own authorities: Node ignores them if an application passes a list. */
export function withNodeAuthorities(authorities: string): string[] {
  return [...process.getBuiltinModule('node:tls').rootCertificates, authorities];
}

/** Calls back with an open connection, or with an error. */
export type Connected = (error: Error | null, stream?: Duplex) => void;

/** What Node's agent passes, with the host and the port of the service. */
export interface Target extends ConnectionOptions {
  [CONNECT_SIGNAL]?: AbortSignal;
}

/**
 * Opens a TLS connection and verifies its certificate. The request is written only then.
 *
 * @param retry opens another connection, because more authorities are trusted now.
 */
export function connectTls(
  target: Target,
  trust: Trust | undefined,
  done: Connected,
  retry: () => void,
): TLSSocket {
  const { connect } = process.getBuiltinModule('node:tls');
  const ca = trust?.ca;
  const socket = connect(ca === undefined ? target : { ...target, ca });
  const signal = target[CONNECT_SIGNAL];
  const cancel = (): void => void socket.destroy(new Error('Cancelled before sending'));
  signal?.addEventListener('abort', cancel, { once: true });
  let peer: PeerCertificate | undefined;
  // Node closes the connection before it emits the error about its certificate. After getPeerX509Certificate() it would
  // reject a certificate without a chain (seen in Node 20.20).
  socket.prependOnceListener('secure', () => {
    peer = socket.getPeerCertificate();
  });
  const fail = (error: NodeJS.ErrnoException): void => {
    signal?.removeEventListener('abort', cancel);
    if (canRetry(error, trust, ca)) retry();
    else done(Object.assign(error, { peerCertificate: peer }));
  };
  socket.once('error', fail);
  socket.once('secureConnect', () => {
    signal?.removeEventListener('abort', cancel);
    socket.off('error', fail);
    done(null, socket);
  });
  return socket;
}

/** Whether a connection failed because its authorities were too few, and more are trusted now. */
export function canRetry(
  { code = '' }: NodeJS.ErrnoException,
  trust: Trust | undefined,
  tried: readonly string[] | undefined,
): boolean {
  return isUntrustedCertificate(code) && tried !== undefined && trust?.widen(tried) === true;
}

/**
 * Creates an agent whose connections trust these authorities.
 *
 * @param trust default: Node's own.
 */
export function createTrustingAgent(module: Http, trust: Trust | undefined, options: AgentOptions): Agent {
  // Not compared with node:https, which it would load.
  if (module === process.getBuiltinModule('node:http')) return new module.Agent(options);
  class TrustingAgent extends module.Agent {
    override createConnection(target: Target, done: Connected): undefined {
      connectTls(target, trust, done, () => this.createConnection(target, done));
    }
  }
  return new TrustingAgent(options);
}
