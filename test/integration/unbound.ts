import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Daemons } from './daemons.js';
import type { Endpoint } from './endpoint.js';
import { type ServedZone, topZones } from './zone-text.js';

/** A running Unbound, a resolver with a cache. */
export interface Unbound {
  /** The types of a name that were queried since it started. */
  queriedTypes(name: string): string[];
}

/** Longest time in seconds that records are cached. Unbound's default is a day. */
export const CACHE_TTL_MAX = 2_400;

/** The first zone that a resolver must know, and its serial. */
const READY = ['test', 1] as const;

/**
 * Starts Unbound. It queries only the registry and the name servers of these zones, because referrals have no ports.
 *
 * @param registry The server of the root and of `test`. All servers use its port.
 * @param trustAnchors DS records. With them, Unbound validates the zones below.
 * @param settings More lines of its section `server`.
 */
export async function startUnbound(
  daemons: Daemons,
  endpoint: Endpoint,
  registry: Endpoint,
  zones: readonly ServedZone[],
  trustAnchors: readonly string[] = [],
  name = 'unbound',
  settings = '',
): Promise<Unbound> {
  const folder = daemons.folder(name);
  const log = join(folder, 'unbound.log');
  const text = configuration(folder, endpoint, registry, zones, trustAnchors);
  writeFileSync(join(folder, 'unbound.conf'), text.replace('remote-control:', `${settings}remote-control:`));
  const daemon = daemons.start('unbound', folder, ['-d', '-c', join(folder, 'unbound.conf')]);
  await endpoint.serves(...READY, daemon.ended);
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
): Promise<void> {
  const folder = daemons.folder('dnsmasq');
  const options = [
    ...['no-resolv', 'no-hosts', 'bind-interfaces', 'log-facility=-', 'pid-file='],
    ...[`port=${String(port)}`, `listen-address=${address}`, `server=${to.address}#${String(to.port)}`],
  ];
  writeFileSync(join(folder, 'dnsmasq.conf'), options.join('\n'));
  const daemon = daemons.start('dnsmasq', folder, ['-k', '-C', 'dnsmasq.conf']);
  await serves(...READY, daemon.ended);
}

function configuration(
  folder: string,
  { address, port }: Endpoint,
  registry: Endpoint,
  zones: readonly ServedZone[],
  trustAnchors: readonly string[],
): string {
  const servers = [...topZones(registry.address, []), ...zones].map(({ name, hosts }) => ({
    name,
    addresses: Object.values(hosts),
  }));
  const stubs = servers.map(({ name, addresses }) =>
    [
      'stub-zone:',
      `  name: "${name}."`,
      ...addresses.map((each) => `  stub-addr: ${each}@${registry.port}`),
      '',
    ].join('\n'),
  );
  return `server:
  interface: ${address}@${String(port)}
  port: ${String(port)}
  do-ip6: ${servers.some(({ addresses }) => addresses.join().includes(':')) ? 'yes' : 'no'}
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
