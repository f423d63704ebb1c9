/** A zone as a name server serves it. */
export interface ServedZone {
  /** Without the final dot; the root is empty. */
  name: string;
  serial: number;
  /** Name server hosts within the zone, by label, with their addresses. */
  hosts: Readonly<Record<string, string>>;
  /** Lines of a zone file, relative to the zone. */
  records: readonly string[];
  /** Answer over TCP alone: over UDP every answer is truncated. */
  overTcp?: boolean;
  /** Seconds that resolvers may remember that something is not there. Default {@link NEGATIVE_TTL}. */
  negativeTtl?: number;
}

/** Seconds that most zones give an absence. */
export const NEGATIVE_TTL = 900;

/** Writes a zone file. */
export function zoneText({ name, serial, hosts, records, negativeTtl = NEGATIVE_TTL }: ServedZone): string {
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

/** The lines by which a parent hands over a zone below it, with the addresses of its servers. */
export function delegationOf({ name, hosts }: ServedZone): string[] {
  return Object.entries(hosts).flatMap(([label, address]) => [
    `${name}. NS ${label}.${name}.`,
    addressLine(`${label}.${name}.`, address),
  ]);
}

function addressLine(owner: string, address: string): string {
  return `${owner} ${address.includes(':') ? 'AAAA' : 'A'} ${address}`;
}
