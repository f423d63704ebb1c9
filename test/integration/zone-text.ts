/** A zone as a name server serves it. */
export interface ServedZone {
  /** Without the final dot; the root is empty. */
  name: string;
  serial: number;
  /** Name server hosts within the zone, by label, with their addresses. */
  hosts: Readonly<Record<string, string>>;
  /** Lines of a zone file, relative to the zone. */
  records: readonly string[];
  /** Whether to respond only over TCP: over UDP every response is truncated. */
  overTcp?: boolean;
  /** A whole zone file, such as a signed one, instead of the hosts and records. */
  text?: string;
  /** Seconds that resolvers may cache an absence. Default {@link NEGATIVE_TTL}. */
  negativeTtl?: number;
}

/** Negative TTL of most zones, in seconds. */
const NEGATIVE_TTL = 900;

/** A zone with one name server. */
export function zoneAt(name: string, address: string, records: readonly string[]): ServedZone {
  return { name, serial: 1, hosts: { ns1: address }, records };
}

/** TTL of the platform's addresses, in seconds. */
export const PLATFORM_TTL = 300;

/** The zone of the target `cname.platform.test`. */
export function platformZone(address: string): ServedZone {
  const ttl = String(PLATFORM_TTL);
  return zoneAt('platform.test', address, [`cname ${ttl} A 192.0.2.10`, `cname ${ttl} AAAA 2001:db8::10`]);
}

/** Writes a zone file. */
export function zoneText({
  name,
  serial,
  hosts,
  records,
  text,
  negativeTtl = NEGATIVE_TTL,
}: ServedZone): string {
  if (text !== undefined) return text;
  const labels = Object.keys(hosts);
  return [
    `$ORIGIN ${name}.`,
    '$TTL 3600',
    `@ SOA ${labels[0] ?? '@'} hostmaster ${String(serial)} 3600 600 86400 ${String(negativeTtl)}`,
    ...labels.map((label) => `@ NS ${label}`),
    ...Object.entries(hosts).map(([label, address]) => addressLine(label, address)),
    ...records,
    '',
  ].join('\n');
}

/** Writes the lines of a zone for tinydns. Of the records, it knows `label CNAME target` and `label A address`. */
export function tinydnsData({
  name,
  serial,
  hosts,
  records,
  negativeTtl = NEGATIVE_TTL,
}: ServedZone): string {
  const full = (label: string): string => (label.endsWith('.') ? label.slice(0, -1) : `${label}.${name}`);
  const [host = '@'] = Object.keys(hosts);
  return [
    `Z${name}:${full(host)}:${full('hostmaster')}:${String(serial)}:3600:600:86400:${String(negativeTtl)}:3600`,
    ...Object.entries(hosts).map(([label, address]) => `&${name}:${address}:${full(label)}:3600`),
    ...records.map((record) => {
      const [label = '', type = '', value = ''] = record.split(' ');
      return type === 'A' ? `+${full(label)}:${value}:3600` : `C${full(label)}:${full(value)}:3600`;
    }),
    '',
  ].join('\n');
}

/** The root, and the top-level domain `test` with these records. One server has both. */
export function topZones(address: string, records: readonly string[]): [root: ServedZone, test: ServedZone] {
  return [
    { name: '', serial: 1, hosts: { 'ns.test': address }, records: ['test NS ns.test'] },
    { name: 'test', serial: 1, hosts: { ns: address }, records },
  ];
}

/** The lines of a parent that delegate a zone, with glue. */
export function delegationOf({ name, hosts }: ServedZone): string[] {
  return Object.entries(hosts).flatMap(([label, address]) => [
    `${name}. NS ${label}.${name}.`,
    addressLine(`${label}.${name}.`, address),
  ]);
}

function addressLine(owner: string, address: string): string {
  return `${owner} ${address.includes(':') ? 'AAAA' : 'A'} ${address}`;
}
