import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Daemons } from './daemons.js';
import type { Endpoint } from './endpoint.js';
import { findProgram } from './programs.js';
import { type ServedZone, zoneText } from './zone-text.js';

/** Starts PowerDNS with these zones. It expands ALIAS records by the resolver. */
export async function startPowerDns(
  daemons: Daemons,
  endpoint: Endpoint,
  served: readonly ServedZone[],
  resolver: Endpoint,
): Promise<void> {
  const folder = daemons.folder('powerdns');
  for (const zone of served) writeFileSync(join(folder, `${zone.name}.zone`), zoneText(zone));
  writeFileSync(join(folder, 'bind.conf'), served.map(({ name }) => bindEntry(folder, name)).join(''));
  writeFileSync(join(folder, 'pdns.conf'), configuration(folder, endpoint, resolver));
  const daemon = daemons.start('pdns_server', folder, [`--config-dir=${folder}`]);
  await Promise.all(served.map(({ name, serial }) => endpoint.serves(name, serial, daemon.ended)));
}

function bindEntry(folder: string, name: string): string {
  return `zone "${name}" { type native; file "${join(folder, name)}.zone"; };\n`;
}

function configuration(folder: string, { address, port }: Endpoint, resolver: Endpoint): string {
  const backends = findProgram('pdns_server')
    ?.libraryFolders.map((libraries) => join(libraries, 'pdns'))
    .find((path) => existsSync(path));
  return [
    'launch=bind',
    `bind-config=${join(folder, 'bind.conf')}`,
    ...(backends === undefined ? [] : [`module-dir=${backends}`]),
    `local-address=${address}`,
    `local-port=${String(port)}`,
    `socket-dir=${folder}`,
    'daemon=no',
    'guardian=no',
    'write-pid=no',
    'receiver-threads=1',
    'distributor-threads=1',
    'expand-alias=yes',
    `resolver=${resolver.address}:${String(resolver.port)}`,
    // By default it queries the Internet for its updates.
    'security-poll-suffix=',
    '',
  ].join('\n');
}
