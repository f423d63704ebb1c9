import type { DnsServer } from './dns/listen.js';
import type { WebOptions, WebServer } from './web/web.js';
import type { JournalEntry } from './service/journal.js';

/** Options of `Mock.listen`. */
export interface ListenOptions {
  /**
   * TCP port, 0 to 65535. 0 means any free port.
   *
   * @default 0
   */
  port?: number;
  /**
   * Address or host name to listen on.
   *
   * @default '127.0.0.1'
   */
  host?: string;
  /** Also serves DNS on this port (0 to 65535, 0 means any free port), over UDP and TCP, always on loopback addresses. */
  dnsPort?: number;
  /**
   * Whether `/__mock/` serves a page that shows and controls the mock in a browser on this machine.
   *
   * @default true
   */
  ui?: boolean;
  /**
   * Also serves the web servers of the DNS names, over HTTP and HTTPS on free loopback ports.
   *
   * @default no web servers
   */
  web?: WebOptions;
  /**
   * Called when the response to a request has been sent, or its connection has closed. `durationMs` is the time since the
   * request, by the mock's clock, in milliseconds. It must not throw.
   */
  onResponse?: (entry: JournalEntry, durationMs: number) => void;
}

/** A mock that listens on a port. */
export interface MockServer {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The URL with `/v1`: the base URL for a client. */
  readonly baseUrl: string;
  readonly port: number;
  /** Addresses and port of the mock DNS. Present if `dnsPort` was set. */
  readonly dns?: Omit<DnsServer, 'close'>;
  /** The web servers of the DNS names. Present with `web`. */
  readonly web?: WebServer;
  /**
   * Stops listening. Closes idle connections at once, and the others after their response or after `deadlineMs`.
   *
   * @param options.deadlineMs in milliseconds; default 500.
   */
  close(options?: { deadlineMs?: number }): Promise<void>;
}
