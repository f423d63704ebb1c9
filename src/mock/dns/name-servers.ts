import { labelsOf, withAncestors, type Name } from './name.js';
import { addressRecord, ipv4Of, targetOf, withNextSerial, type ZoneRecord } from './record.js';
import { createZone, type Zone } from './zone.js';
import { readZoneFile, type ParsedZone } from './zone-file.js';

/** The name servers of the mock, each at a loopback address, with its zones. */
export interface NameServers {
  /** The addresses of all name servers, sorted. */
  readonly addresses: readonly string[];
  /** The addresses of the name servers of the closest zone that contains a name. */
  serversOf(name: Name): readonly string[];
  /** The names of all zones, sorted. */
  readonly zoneNames: readonly Name[];
  /** The zones of the server at an address, as its own copies. */
  zonesAt(address: string): ReadonlyMap<Name, Zone>;
  /** The addresses of a name server host. */
  addressesOf(host: Name): readonly string[];
  /** The name server hosts at an address, without hosts that bind() moved there. */
  hostsAt(address: string): readonly Name[];
  /** The SOA record of the zone that contains a name. */
  soaOf(name: Name): ZoneRecord | undefined;
  /**
   * Replaces the records of one type at a name, and increments the serial.
   *
   * @param server changes only the copy of this name server.
   * @throws TypeError if no zone contains the name, or the server does not have the zone.
   */
  setRecords(name: Name, type: string, records: readonly ZoneRecord[], server?: Name): void;
  /** Sets the addresses that exist. Servers at other addresses move to 127.0.0.1. */
  bind(addresses: ReadonlySet<string>): void;
}

/** The name server of the root and of the top-level domains. Its address is in the built-in zones. */
const TLD_SERVER: Name = 'a.nic.test';
/** Addresses for the name servers of a zone, in their order, if they have no loopback addresses. */
const ASSIGNED_ADDRESSES = Array.from({ length: 8 }, (_, index) => `127.0.0.${String(index + 1)}`);
const NS_TTL = 3_600;

/** A copy of a zone: of one server, or of all others. */
interface ZoneCopy {
  server: Name | undefined;
  zone: Zone;
}

/**
 * Creates the name servers of zones. Adds what the zones lack: top-level domains, delegations in parent zones, and a
 * loopback address for each name server.
 *
 * @param zoneFiles the zones of each file. A zone replaces all copies of that zone from earlier files.
 */
export function createNameServers(zoneFiles: readonly (readonly ParsedZone[])[]): NameServers {
  const copies = latestCopies(zoneFiles);
  addTopLevels(copies);
  addAddresses(copies);
  addDelegations(copies);
  const moved = new Set<Name>();
  let index = indexOf(copies, moved);

  return {
    get addresses() {
      return [...new Set([...index.hosts.values()].flat())].sort(byLastNumber);
    },
    get zoneNames() {
      return [...new Set(copies.map(({ zone }) => zone.name))].sort();
    },
    zonesAt: (address) => index.zonesAt.get(address) ?? new Map<Name, Zone>(),
    addressesOf: (host) => index.hosts.get(host) ?? [],
    hostsAt: (address) => index.hostsAt.get(address) ?? [],
    serversOf(name) {
      const zone = enclosing(copies, name);
      return zone === undefined ? [] : hostsOf(zone).flatMap((host) => index.hosts.get(host) ?? []);
    },
    soaOf: (name) => enclosing(copies, name)?.soa,
    setRecords(name, type, records, server) {
      const found = enclosing(copies, name);
      if (found === undefined) throw new TypeError(`No zone of the mock contains ${name}`);
      if (server !== undefined) addOwnCopy(copies, found, server);
      for (const { zone, server: owner } of copiesOf(copies, found.name)) {
        if (server !== undefined && owner !== server) continue;
        zone.replace(zone.name, ['SOA'], [withNextSerial(zone.soa)]);
        zone.replace(name, [type], records);
      }
      index = indexOf(copies, moved);
    },
    bind(addresses) {
      for (const [host, at] of index.hosts) {
        if (!at.some((address) => addresses.has(address))) moved.add(host);
        for (const { zone } of copies)
          for (const record of zone.at(host).filter(isLoopback))
            if (!addresses.has(ipv4Of(record)))
              zone.replace(host, ['A'], [addressRecord(host, record.ttl, '127.0.0.1')]);
      }
      index = indexOf(copies, moved);
    },
  };
}

function latestCopies(zoneFiles: readonly (readonly ParsedZone[])[]): ZoneCopy[] {
  const byName = new Map<Name, readonly ParsedZone[]>();
  for (const zones of zoneFiles) {
    for (const { name } of zones)
      byName.set(
        name,
        zones.filter((zone) => zone.name === name),
      );
  }
  return [...byName.values()]
    .flat()
    .map(({ name, server, records }) => ({ server, zone: createZone(name, records) }));
}

function copiesOf(copies: readonly ZoneCopy[], name: Name): ZoneCopy[] {
  return copies.filter(({ zone }) => zone.name === name);
}

function addTopLevels(copies: ZoneCopy[]): void {
  const names = copies.flatMap(({ zone }) => [zone.name, ...hostsOf(zone)]);
  for (const name of new Set(names.map((each) => labelsOf(each).at(-1) ?? '')))
    if (copiesOf(copies, name).length === 0)
      copies.push(...latestCopies([readZoneFile(topLevelText(name)).zones]));
}

function topLevelText(name: Name): string {
  return `$ORIGIN ${name}.
@ 172800 SOA ${TLD_SERVER}. hostmaster.nic.test. 1 30m 15m 1w 15m
@ 172800 NS ${TLD_SERVER}.`;
}

/** The name servers in the NS records of a zone. */
function hostsOf(zone: Zone): Name[] {
  return zone.at(zone.name).filter(isNameServer).map(targetOf);
}

function addAddresses(copies: readonly ZoneCopy[]): void {
  for (const { server, zone } of copies) {
    const hosts = [...hostsOf(zone), ...(server === undefined ? [] : [server])];
    hosts.forEach((host, position) => {
      const parent = enclosing(copies, host);
      if (parent === undefined || parent.at(host).some(isLoopback)) return;
      const assigned = ASSIGNED_ADDRESSES[position % ASSIGNED_ADDRESSES.length] ?? '127.0.0.1';
      for (const copy of copiesOf(copies, parent.name))
        copy.zone.replace(host, ['A', 'AAAA'], [addressRecord(host, NS_TTL, assigned)]);
    });
  }
}

function isNameServer({ type }: ZoneRecord): boolean {
  return type === 'NS';
}

function isLoopback(record: ZoneRecord): boolean {
  return record.type === 'A' && record.data[0] === 127;
}

function addDelegations(copies: readonly ZoneCopy[]): void {
  for (const { server, zone } of copies) {
    const parent = enclosing(
      copies.filter((copy) => copy.zone.name !== zone.name),
      zone.name,
    );
    if (server !== undefined || zone.name === '' || parent === undefined) continue;
    for (const copy of copiesOf(copies, parent.name))
      if (!copy.zone.at(zone.name).some(isNameServer))
        copy.zone.replace(zone.name, ['NS'], zone.at(zone.name).filter(isNameServer));
  }
}

/** Returns the closest enclosing zone of a name. */
function enclosing(copies: readonly ZoneCopy[], name: Name): Zone | undefined {
  const zones = copies.map(({ zone }) => zone);
  for (const ancestor of withAncestors(name)) {
    const zone = zones.find((candidate) => candidate.name === ancestor);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

function addOwnCopy(copies: ZoneCopy[], zone: Zone, server: Name): void {
  const known = copiesOf(copies, zone.name);
  if (known.some((copy) => copy.server === server)) return;
  if (!hostsOf(zone).includes(server)) {
    throw new TypeError(
      `${server} is not a name server of ${zone.name} (known: ${hostsOf(zone).join(', ')})`,
    );
  }
  const common = known.find((copy) => copy.server === undefined)?.zone ?? zone;
  copies.push({ server, zone: createZone(common.name, common.records()) });
}

interface Index {
  hosts: Map<Name, readonly string[]>;
  hostsAt: Map<string, Name[]>;
  zonesAt: Map<string, Map<Name, Zone>>;
}

function indexOf(copies: readonly ZoneCopy[], moved: ReadonlySet<Name>): Index {
  const names = new Set(
    copies.flatMap(({ server, zone }) => [
      ...zone.records().filter(isNameServer).map(targetOf),
      server ?? '',
    ]),
  );
  names.delete('');
  const hosts = new Map(
    [...names].map((host) => {
      const records = enclosing(copies, host)?.at(host) ?? [];
      return [host, [...new Set(records.filter(isLoopback).map(ipv4Of))]] as const;
    }),
  );
  const hostsAt = new Map<string, Name[]>();
  for (const [host, addresses] of hosts) {
    if (moved.has(host)) continue;
    for (const address of addresses) hostsAt.set(address, [...(hostsAt.get(address) ?? []), host]);
  }
  const zonesAt = new Map<string, Map<Name, Zone>>();
  const own = new Set(copies.map(({ server, zone }) => `${String(server)} ${zone.name}`));
  for (const { server, zone } of copies) {
    const servers =
      server === undefined ? hostsOf(zone).filter((host) => !own.has(`${host} ${zone.name}`)) : [server];
    for (const address of servers.flatMap((host) => hosts.get(host) ?? [])) {
      const zones = zonesAt.get(address) ?? new Map<Name, Zone>();
      zonesAt.set(address, zones);
      // Servers that bind() moved to one address can have different copies. The first one is used.
      if (!zones.has(zone.name)) zones.set(zone.name, zone);
    }
  }
  return { hosts, hostsAt, zonesAt };
}

function byLastNumber(one: string, other: string): number {
  return Number(one.split('.').at(-1)) - Number(other.split('.').at(-1));
}
