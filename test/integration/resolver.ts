import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Daemons } from './daemons.js';
import type { Endpoint } from './endpoint.js';
import { findProgram, whyNotIsolated } from './programs.js';
import { type ServedZone, topZones } from './zone-text.js';

/** A running resolver with a cache. */
export interface Resolver {
  /** The types of a name that were queried since it started. Unbound only. */
  queriedTypes(name: string): string[];
}

/** The first zone that a resolver must know, and its serial. */
const READY = ['test', 1] as const;

/** What the configuration of a resolver is made from. */
interface Site extends ResolverOptions {
  folder: string;
  address: string;
  port: string;
  /** The port of all name servers. */
  serverPort: string;
  /** Servers of the zones, longer names first. */
  stubs: readonly { name: string; addresses: readonly string[] }[];
}

interface Driver {
  program: string;
  args: readonly string[];
  /** The name of the only file of its configuration. */
  file: string;
  text: (site: Site) => string;
  /** Whether paths of its package are built in. */
  isIsolated?: true;
}

const DRIVERS = {
  unbound: {
    program: 'unbound',
    args: ['-d', '-c', 'unbound.conf'],
    file: 'unbound.conf',
    text: ({ folder, address, port, serverPort, stubs, trustAnchors = [], settings = [] }) => `server:
  interface: ${address}@${port}
  port: ${port}
  do-ip6: ${stubs.some(({ addresses }) => addresses.join().includes(':')) ? 'yes' : 'no'}
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
${settings.map((line) => `  ${line}\n`).join('')}remote-control:
  control-enable: no
${stubs
  .map(
    ({ name, addresses }) =>
      `stub-zone:\n  name: "${name}."\n${addresses.map((each) => `  stub-addr: ${each}@${serverPort}\n`).join('')}`,
  )
  .join('')}`,
  },
  bind: {
    program: 'named',
    args: ['-g', '-n', '1', '-c', 'named.conf'],
    file: 'named.conf',
    text: ({ folder, address, port, serverPort, stubs, settings = [] }) => `options {
  directory "${folder}";
  listen-on port ${port} { ${address}; };
  listen-on-v6 { none; };
  pid-file none;
  session-keyfile none;
  dnssec-validation no;
  empty-zones-enable no;
${settings.map((line) => `  ${line}\n`).join('')}};
controls {};
${stubs
  .filter(({ name }) => name !== '')
  .map(
    ({ name, addresses }) =>
      `zone "${name}" { type forward; forward only; forwarders { ${addresses.map((each) => `${each} port ${serverPort};`).join(' ')} }; };\n`,
  )
  .join('')}`,
  },
  /** It queries name servers at port 53 only. */
  'knot-resolver': {
    program: 'kresd',
    args: ['-n', '-c', 'kresd.conf', '.'],
    file: 'kresd.conf',
    isIsolated: true,
    text: ({
      folder,
      address,
      port,
      stubs,
      settings = [],
    }) => `net.listen('${address}', ${port}, { kind = 'dns' })
for _, name in ipairs({'priming', 'ta_update', 'ta_signal_query', 'detect_time_skew'}) do modules.unload(name) end
trust_anchors.remove('.')
cache.open(10 * MB, 'lmdb://${folder}')
net.ipv6 = false
modules.load('hints > iterate')
hints.root({['ns.test.'] = '${stubs.at(-1)?.addresses[0] ?? ''}'})
${settings.join('\n')}
policy.add(policy.suffix(policy.PASS, policy.todnames({'test.'})))
`,
  },
  'powerdns-recursor': {
    program: 'pdns_recursor',
    args: ['--config-dir=.'],
    file: 'recursor.conf',
    text: ({ folder, address, port, serverPort, stubs, settings = [] }) =>
      [
        ...[`local-address=${address}`, `local-port=${port}`, `socket-dir=${folder}`, 'daemon=no'],
        ...[
          'dnssec=off',
          'dont-query=',
          'security-poll-suffix=',
          'hint-file=no',
          'threads=1',
          'write-pid=no',
        ],
        `forward-zones=${stubs.map(({ name, addresses }) => `${name}.=${addresses.map((each) => `${each}:${serverPort}`).join(';')}`).join(',')}`,
        ...settings,
        '',
      ].join('\n'),
  },
  /** The following ones pass queries on to another resolver. */
  dnsmasq: {
    program: 'dnsmasq',
    args: ['-k', '-C', 'dnsmasq.conf'],
    file: 'dnsmasq.conf',
    text: ({ address, port, upstream, settings = [] }) =>
      [
        ...['no-resolv', 'no-hosts', 'bind-interfaces', 'log-facility=-', 'pid-file='],
        ...[`port=${port}`, `listen-address=${address}`, `server=${upstream?.address ?? ''}#${port}`],
        ...settings,
      ].join('\n'),
  },
  'systemd-resolved': {
    program: 'systemd-resolved',
    args: [],
    file: 'resolved.conf',
    isIsolated: true,
    text: ({ address, port, upstream, settings = [] }) => `[Resolve]
DNS=${upstream?.address ?? ''}:${port}
FallbackDNS=
Domains=~.
DNSSEC=no
LLMNR=no
MulticastDNS=no
DNSStubListener=no
DNSStubListenerExtra=${address}:${port}
${settings.join('\n')}
`,
  },
  stubby: {
    program: 'stubby',
    args: ['-C', 'stubby.yml'],
    file: 'stubby.yml',
    text: ({ address, port, upstream }) => `resolution_type: GETDNS_RESOLUTION_STUB
dns_transport_list:
  - GETDNS_TRANSPORT_UDP
  - GETDNS_TRANSPORT_TCP
listen_addresses:
  - ${address}@${port}
upstream_recursive_servers:
  - address_data: ${upstream?.address ?? ''}
    port: ${port}
`,
  },
} as const satisfies Record<string, Driver>;

/** A kind of resolver. */
export type ResolverKind = keyof typeof DRIVERS;

/** More than the zones and the address. */
export interface ResolverOptions {
  /** DS records. With them, Unbound validates the zones below. */
  trustAnchors?: readonly string[];
  /** More lines of its configuration. */
  settings?: readonly string[];
  /** The resolver that queries are passed on to. */
  upstream?: Endpoint;
}

/** Why a kind of resolver can't be started; `undefined` if it can. */
export function whyNoResolver(kind: ResolverKind): string | undefined {
  const driver: Driver = DRIVERS[kind];
  if (findProgram(driver.program) === undefined) return `not installed: ${driver.program}`;
  return driver.isIsolated ? whyNotIsolated() : undefined;
}

/**
 * Starts a resolver. It queries only the registry and the name servers of these zones, because referrals have no ports.
 *
 * @param registry The server of the root and of `test`. All servers use its port.
 */
export async function startResolver(
  kind: ResolverKind,
  daemons: Daemons,
  { address, port, serves }: Endpoint,
  registry: Endpoint,
  zones: readonly ServedZone[],
  options: ResolverOptions = {},
): Promise<Resolver> {
  const driver: Driver = DRIVERS[kind];
  const folder = daemons.folder(`${kind}-${address}-${String(port)}`);
  const stubs = [...zones, ...topZones(registry.address, []).reverse()].map(({ name, hosts }) => ({
    name,
    addresses: Object.values(hosts),
  }));
  const ports = { port: String(port), serverPort: String(registry.port) };
  const text = driver.text({ folder, address, ...ports, stubs, ...options });
  writeFileSync(join(folder, driver.file), text);
  const daemon = daemons.start(driver.program, folder, driver.args, driver.isIsolated && 'nobody');
  await serves(...READY, daemon.ended);
  return {
    queriedTypes(name) {
      const questions = readFileSync(join(folder, 'unbound.log'), 'utf8').matchAll(
        /info: 127\.\S+ (\S+)\. (\S+) IN$/gm,
      );
      return [...questions].flatMap(([, queried, type = '']) => (queried === name ? [type] : []));
    },
  };
}
