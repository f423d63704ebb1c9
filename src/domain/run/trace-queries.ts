import { printable } from '../../schema/control-characters.js';
import { shown } from '../names/printable.js';
import type { TracedQuery } from '../report/report.js';
import type { DnsClient, DnsExchange, DnsQuestion, DnsServer } from '../dns/dns.js';

/** A DNS client that remembers its queries. */
export interface TracingClient {
  dns: DnsClient;
  /** Returns the queries since the last call, and forgets them. */
  take(): TracedQuery[];
}

/** Wraps a DNS client to remember its queries. */
export function traceQueries(dns: DnsClient): TracingClient {
  let queries: TracedQuery[] = [];
  return {
    dns: {
      async query(server, question, options) {
        const exchange = await dns.query(server, question, options);
        queries.push(tracedQuery(server, question, exchange));
        return exchange;
      },
      close() {
        dns.close();
      },
    },
    take() {
      const taken = queries;
      queries = [];
      return taken;
    },
  };
}

function tracedQuery(server: DnsServer, { name, type }: DnsQuestion, exchange: DnsExchange): TracedQuery {
  const { address, host } = server;
  const response = exchange.kind === 'response' ? exchange.response : undefined;
  return {
    server: printable(host ?? address),
    address: printable(address),
    name: printable(name),
    type,
    ...(response !== undefined && { transport: response.over }),
    rcode: printable(
      exchange.kind === 'failure' ? exchange.detail || exchange.reason : exchange.response.rcode,
    ),
    isAuthoritative: response?.authoritative === true,
    elapsedMs: exchange.elapsedMs,
    extendedErrors: (response?.extendedErrors ?? []).map(({ code, text }) => ({ code, text: shown(text) })),
  };
}
