import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Daemons } from './daemons.js';
import type { Endpoint } from './endpoint.js';
import { type ServedZone, zoneText } from './zone-text.js';

/** A running Knot DNS. */
export interface Knot {
  /** Replaces the records of a zone, increments its serial, and resolves once that is served. */
  edit(zone: string, records: readonly string[]): Promise<void>;
}

/** Starts Knot DNS with these zones, and waits until it serves them. */
export async function startKnot(
  daemons: Daemons,
  endpoint: Endpoint,
  served: readonly ServedZone[],
): Promise<Knot> {
  const folder = daemons.folder(`knot-${endpoint.address.replaceAll(':', '_')}`);
  const zones = new Map(served.map((zone) => [zone.name, zone]));
  for (const zone of served) writeFileSync(join(folder, fileOf(zone)), zoneText(zone));
  writeFileSync(join(folder, 'knot.conf'), configuration(folder, endpoint, served));
  const daemon = daemons.start('knotd', folder, ['-c', 'knot.conf']);
  // The DNS client of the checks does not query the root.
  const named = served.filter(({ name }) => name !== '');
  await Promise.all(named.map(({ name, serial }) => endpoint.serves(name, serial, daemon.ended)));
  return {
    async edit(name, records) {
      const before = zones.get(name);
      if (before === undefined) throw new Error(`unknown zone ${name}`);
      const zone = { ...before, records, serial: before.serial + 1 };
      zones.set(name, zone);
      writeFileSync(join(folder, fileOf(zone)), zoneText(zone));
      daemon.signal('SIGHUP');
      await endpoint.serves(name, zone.serial, daemon.ended);
    },
  };
}

function fileOf({ name }: ServedZone): string {
  return `${name === '' ? 'root' : name}.zone`;
}

function configuration(folder: string, { address, port }: Endpoint, zones: readonly ServedZone[]): string {
  return `server:
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
${zones.map(zoneEntry).join('')}`;
}

function zoneEntry(zone: ServedZone): string {
  return `  - domain: "${zone.name}."
    file: "${fileOf(zone)}"
${zone.overTcp === true ? '    module: mod-noudp\n' : ''}`;
}
