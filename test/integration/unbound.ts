import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Daemons } from './daemons.js';
import type { Endpoint } from './endpoint.js';

/** A running Unbound, a resolver with a cache. */
export interface Unbound {
  /** The types of a name that were queried since it started. */
  queriedTypes(name: string): string[];
}

/** Longest time in seconds that records are cached. Unbound's default is a day. */
export const CACHE_TTL_MAX = 2_400;

/**
 * Starts Unbound. It queries only these servers for their zones, the root among them.
 *
 * @param trustAnchors DS records. With them, Unbound validates the zones below.
 */
export async function startUnbound(
  daemons: Daemons,
  endpoint: Endpoint,
  zones: ReadonlyMap<string, readonly Endpoint[]>,
  ready: { zone: string; serial: number },
  trustAnchors: readonly string[] = [],
  name = 'unbound',
): Promise<Unbound> {
  const folder = daemons.folder(name);
  const log = join(folder, 'unbound.log');
  writeFileSync(join(folder, 'unbound.conf'), configuration(folder, endpoint, zones, trustAnchors));
  const daemon = daemons.start('unbound', folder, ['-d', '-c', join(folder, 'unbound.conf')]);
  await endpoint.serves(ready.zone, ready.serial, daemon.ended);
  return {
    queriedTypes(name) {
      const questions = readFileSync(log, 'utf8').matchAll(/info: 127\.\S+ (\S+)\. (\S+) IN$/gm);
      return [...questions].flatMap(([, queried, type = '']) => (queried === name ? [type] : []));
    },
  };
}

/** Starts dnsmasq, a cache that forwards queries to another resolver. */
export async function startDnsmasq(
  daemons: Daemons,
  { address, port, serves }: Endpoint,
  to: Endpoint,
  ready: { zone: string; serial: number },
): Promise<void> {
  const folder = daemons.folder('dnsmasq');
  const options = [
    ...['no-resolv', 'no-hosts', 'bind-interfaces', 'log-facility=-', 'pid-file='],
    ...[`port=${String(port)}`, `listen-address=${address}`, `server=${to.address}#${String(to.port)}`],
  ];
  writeFileSync(join(folder, 'dnsmasq.conf'), options.join('\n'));
  const daemon = daemons.start('dnsmasq', folder, ['-k', '-C', 'dnsmasq.conf']);
  await serves(ready.zone, ready.serial, daemon.ended);
}

function configuration(
  folder: string,
  { address, port }: Endpoint,
  zones: ReadonlyMap<string, readonly Endpoint[]>,
  trustAnchors: readonly string[],
): string {
  const stubs = [...zones].map(([name, servers]) =>
    [
      'stub-zone:',
      `  name: "${name}."`,
      ...servers.map((server) => `  stub-addr: ${server.address}@${String(server.port)}`),
      '',
    ].join('\n'),
  );
  return `server:
  interface: ${address}@${String(port)}
  port: ${String(port)}
  do-ip6: ${[...zones.values()].flat().some((server) => server.address.includes(':')) ? 'yes' : 'no'}
  chroot: ""
  username: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  logfile: "${join(folder, 'unbound.log')}"
  log-queries: yes
  num-threads: 1
  module-config: "${trustAnchors.length > 0 ? 'validator ' : ''}iterator"
  ede: yes
${trustAnchors.map((anchor) => `  trust-anchor: "${anchor}"\n`).join('')}  do-not-query-localhost: no
  local-zone: "test." nodefault
  cache-max-ttl: ${String(CACHE_TTL_MAX)}
remote-control:
  control-enable: no
${stubs.join('')}`;
}
