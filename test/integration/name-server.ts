import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Daemons, UNPRIVILEGED_ID } from './daemons.js';
import type { Endpoint } from './endpoint.js';
import { findProgram, whyNotIsolated } from './programs.js';
import { startRelay } from './relay.js';
import { type ServedZone, tinydnsData, zoneText } from './zone-text.js';

/** A running name server. */
export interface NameServer {
  /** Replaces the records of zones, increments their serials, and resolves once they are served. */
  edit(changes: Readonly<Record<string, readonly string[]>>): Promise<void>;
}

/** What a driver needs to write a configuration. */
interface Site {
  folder: string;
  endpoint: Endpoint;
  zones: readonly ServedZone[];
  /** Expands ALIAS records, where the server has them. */
  resolver: Endpoint | undefined;
}

/** How to run one kind of server. Zone files are in its folder. */
interface Driver {
  program: string;
  args: (folder: string) => readonly string[];
  /** Files in the folder, by name. */
  files: (site: Site) => Readonly<Record<string, string>>;
  isolatedAs?: 'root';
}

const DRIVERS = {
  knot: {
    program: 'knotd',
    args: () => ['-c', 'knot.conf'],
    files: ({ folder, endpoint: { address, port }, zones }) => ({
      'knot.conf': `server:
    rundir: "${folder}"
    listen: "${address}@${String(port)}"
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: "${folder}"
log:
  - target: stderr
    any: warning
template:
  - id: default
    storage: "${folder}"
    zonefile-sync: -1
    zonefile-load: whole
    journal-content: none
zone:
${zones.map((zone) => `  - domain: "${zone.name}."\n    file: "${fileOf(zone)}"\n${zone.overTcp === true ? '    module: mod-noudp\n' : ''}`).join('')}`,
    }),
  },
  nsd: {
    program: 'nsd',
    args: () => ['-d', '-c', 'nsd.conf'],
    files: ({ folder, endpoint: { address, port }, zones }) => ({
      'nsd.conf': `server:
  ip-address: ${address}
  port: ${String(port)}
  username: ""
  zonesdir: "${folder}"
  database: ""
  zonelistfile: "${folder}/zone.list"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  pidfile: ""
remote-control:
  control-enable: no
${zones.map((zone) => `zone:\n  name: "${zone.name}"\n  zonefile: "${fileOf(zone)}"\n`).join('')}`,
    }),
  },
  bind: {
    program: 'named',
    args: () => ['-g', '-n', '1', '-c', 'named.conf'],
    files: ({ folder, endpoint: { address, port }, zones }) => ({
      'named.conf': `options {
  directory "${folder}";
  listen-on port ${String(port)} { ${address}; };
  listen-on-v6 { none; };
  pid-file none;
  session-keyfile none;
  recursion no;
  dnssec-validation no;
  notify no;
  check-integrity no;
};
controls {};
${zones.map((zone) => `zone "${zone.name}" { type primary; file "${fileOf(zone)}"; };\n`).join('')}`,
    }),
  },
  powerdns: {
    program: 'pdns_server',
    args: (folder) => [`--config-dir=${folder}`],
    files: ({ folder, endpoint: { address, port }, zones, resolver }) => {
      const backends = powerDnsBackends();
      return {
        'bind.conf': zones
          .map((zone) => `zone "${zone.name}" { type native; file "${join(folder, fileOf(zone))}"; };\n`)
          .join(''),
        'pdns.conf': [
          'launch=bind',
          `bind-config=${join(folder, 'bind.conf')}`,
          // An edited file is read with the next query. Its caches would return the old records.
          ...['bind-check-interval=1', 'cache-ttl=0', 'query-cache-ttl=0', 'negquery-cache-ttl=0'],
          ...(backends === undefined ? [] : [`module-dir=${backends}`]),
          `local-address=${address}`,
          `local-port=${String(port)}`,
          `socket-dir=${folder}`,
          ...['daemon=no', 'guardian=no', 'write-pid=no', 'receiver-threads=1', 'distributor-threads=1'],
          ...(resolver === undefined
            ? []
            : ['expand-alias=yes', `resolver=${resolver.address}:${String(resolver.port)}`]),
          // By default it queries the Internet for its updates.
          'security-poll-suffix=',
          '',
        ].join('\n'),
      };
    },
  },
  gdnsd: {
    program: 'gdnsd',
    args: (folder) => ['-c', folder, 'start'],
    files: ({ folder, endpoint: { address, port }, zones }) => ({
      config: `options => {
  listen => "${address}:${String(port)}"
  run_dir => "${folder}"
  state_dir => "${folder}"
  udp_threads => 1
  tcp_threads => 1
}
`,
      ...Object.fromEntries(zones.map((zone) => [`zones/${zone.name}`, zoneText(zone)])),
    }),
  },
  yadifa: {
    program: 'yadifad',
    args: () => ['-c', 'yadifad.conf'],
    files: ({ folder, endpoint: { address, port }, zones }) => ({
      'yadifad.conf': `<main>
  daemonize off
  chroot off
${['datapath', 'keyspath', 'xfrpath', 'logpath'].map((name) => `  ${name} "${folder}"\n`).join('')}  pidfile "${folder}/yadifad.pid"
  listen ${address} port ${String(port)}
  uid nobody
  gid nogroup
  thread-count-by-address 1
</main>
${zones.map((zone) => `<zone>\n  domain ${zone.name}\n  type primary\n  file ${fileOf(zone)}\n</zone>\n`).join('')}`,
    }),
  },
  /** A load balancer with a cache. It has no zones of its own, and sends queries to the resolver of its site. */
  dnsdist: {
    program: 'dnsdist',
    args: () => ['-C', 'dnsdist.conf', '--supervised', '--disable-syslog'],
    files: ({ endpoint: { address, port }, resolver }) => ({
      'dnsdist.conf': `setLocal("${address}:${String(port)}")
newServer({address="${resolver?.address ?? ''}:${String(resolver?.port ?? 0)}", healthCheckMode="up"})
getPool(""):setCache(newPacketCache(1000))
setSecurityPollSuffix("")
`,
    }),
  },
  /** It has no other port than 53, and no zone files. */
  tinydns: {
    program: 'tinydns',
    args: () => [],
    isolatedAs: 'root',
    files: ({ endpoint: { address }, zones }) => ({
      environment: `IP=${address} ROOT=. UID=${String(UNPRIVILEGED_ID)} GID=${String(UNPRIVILEGED_ID)}`,
      data: zones.map(tinydnsData).join(''),
    }),
  },
} as const satisfies Record<string, Driver>;

/** A kind of name server. */
export type ServerKind = keyof typeof DRIVERS;

/** Why a kind of server can't be started; `undefined` if it can. */
export function whyNoServer(kind: ServerKind): string | undefined {
  const { program, isolatedAs }: Driver = DRIVERS[kind];
  if (findProgram(program) === undefined) return `not installed: ${program}`;
  if (isolatedAs !== undefined) return whyNotIsolated();
  return kind === 'powerdns' && powerDnsBackends() === undefined
    ? 'not installed: pdns-backend-bind'
    : undefined;
}

/** The folder of the backends of PowerDNS, which are packages of their own. */
function powerDnsBackends(): string | undefined {
  const folders = findProgram('pdns_server')?.libraryFolders ?? [];
  return [...folders, '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib']
    .map((libraries) => join(libraries, 'pdns'))
    .find((path) => existsSync(join(path, 'libbindbackend.so')));
}

/** Starts a name server with these zones, and waits until it serves them. */
export async function startNameServer(
  kind: ServerKind,
  daemons: Daemons,
  endpoint: Endpoint,
  served: readonly ServedZone[],
  resolver?: Endpoint,
): Promise<NameServer> {
  const driver: Driver = DRIVERS[kind];
  const folder = daemons.folder(`${kind}-${endpoint.address.replaceAll(':', '_')}`);
  const zones = new Map(served.map((zone) => [zone.name, zone]));
  const write = (zone: ServedZone): void => writeFileSync(join(folder, fileOf(zone)), zoneText(zone));
  for (const zone of served) write(zone);
  const files = driver.files({ folder, endpoint, zones: served, resolver });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  if (kind === 'tinydns') {
    execFileSync(findProgram('tinydns-data')?.path ?? '', { cwd: folder });
    (await startRelay(endpoint, { address: endpoint.address, port: 53 })).unref();
  }
  const daemon = daemons.start(driver.program, folder, driver.args(folder), driver.isolatedAs);
  const areServed = async (wanted: readonly ServedZone[]): Promise<void> => {
    // The DNS client of the checks does not query the root.
    const named = wanted.filter(({ name }) => name !== '');
    await Promise.all(named.map(({ name, serial }) => endpoint.serves(name, serial, daemon.ended)));
  };
  await areServed(served);
  return {
    async edit(changes) {
      const edited = Object.entries(changes).map(([name, records]): ServedZone => {
        const before = zones.get(name);
        if (before === undefined) throw new Error(`unknown zone ${name}`);
        return { ...before, records, serial: before.serial + 1 };
      });
      // PowerDNS compares the time of a file in seconds.
      if (kind === 'powerdns') await new Promise((resolve) => setTimeout(resolve, 1_100));
      for (const zone of edited) {
        zones.set(zone.name, zone);
        write(zone);
      }
      if (kind !== 'powerdns') daemon.signal('SIGHUP');
      await areServed(edited);
    },
  };
}

function fileOf({ name }: ServedZone): string {
  return `${name === '' ? 'root' : name}.zone`;
}
