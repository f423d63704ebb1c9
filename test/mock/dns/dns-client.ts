import packet, { type Answer, type DecodedPacket, type RecordType } from 'dns-packet';
import type { MockDns } from '../../../src/mock/index.js';
import { BUILT_IN_FAULTS, BUILT_IN_ZONES } from '../../../src/mock/dns/built-in-zones.js';
import { createDnsFaults, type DnsFault } from '../../../src/mock/dns/dns-faults.js';
import { createDnsHandler } from '../../../src/mock/dns/dns-handler.js';
import { createNameServers, type NameServers } from '../../../src/mock/dns/name-servers.js';
import { readZoneFile } from '../../../src/mock/dns/zone-file.js';
import { NOON } from '../send-request.js';

export interface QueryOptions {
  /** RD; default `false`. */
  recursive?: boolean;
  /** CD; default `false`. */
  checkingDisabled?: boolean;
  /** DO; default `false`. */
  dnssecOk?: boolean;
  /** EDNS payload size in bytes; default 1232; `false` for no EDNS. */
  edns?: number | false;
  over?: 'udp' | 'tcp';
  /** Default 127.0.0.1. */
  server?: string;
  id?: number;
}

/** A response as dns-packet decodes it. */
export interface ReadResponse {
  /** Such as `NOERROR aa` and `NXDOMAIN ra tc`. */
  head: string;
  /** Such as `shop.example.test 3600 CNAME cname.platform.test`. */
  answers: string[];
  authority: string[];
  additional: string[];
  packet: DecodedPacket;
}

/** Encodes a query with dns-packet. */
export function queryBytes(name: string, type: string, options: QueryOptions = {}): Buffer {
  const { recursive = false, checkingDisabled = false, dnssecOk = false } = options;
  const { edns = 1_232, id = 4_711 } = options;
  return packet.encode({
    type: 'query',
    id,
    flags: (recursive ? packet.RECURSION_DESIRED : 0) | (checkingDisabled ? packet.CHECKING_DISABLED : 0),
    // A type without a name in dns-packet is UNKNOWN_65.
    questions: [{ name, type: type as RecordType }],
    additionals:
      edns === false
        ? []
        : [
            {
              type: 'OPT',
              name: '.',
              udpPayloadSize: edns,
              flags: dnssecOk ? packet.DNSSEC_OK : 0,
              options: [],
              extendedRcode: 0,
              ednsVersion: 0,
              flag_do: dnssecOk,
            },
          ],
  });
}

export function readResponse(bytes: Uint8Array): ReadResponse {
  const decoded = packet.decode(Buffer.from(bytes)) as DecodedPacket & { rcode: string };
  const flags = { aa: decoded.flag_aa, ra: decoded.flag_ra, tc: decoded.flag_tc };
  return {
    head: [decoded.rcode, ...Object.entries(flags).flatMap(([name, set]) => (set ? [name] : []))].join(' '),
    answers: (decoded.answers ?? []).map(recordText),
    authority: (decoded.authorities ?? []).map(recordText),
    additional: (decoded.additionals ?? []).filter(({ type }) => type !== 'OPT').map(recordText),
    packet: decoded,
  };
}

function recordText(record: Answer): string {
  const { name, type } = record;
  if (!('data' in record) || type === 'OPT') return `${name} ${type}`;
  const { ttl = 0, data } = record;
  return `${name} ${String(ttl)} ${type} ${dataText(data)}`;
}

function dataText(data: unknown): string {
  if (Buffer.isBuffer(data)) return data.toString('hex');
  if (Array.isArray(data)) return data.map(dataText).join(' ');
  return typeof data === 'object' && data !== null
    ? Object.values(data).map(dataText).join(' ')
    : String(data);
}

/** The mock DNS without sockets. */
export interface DnsWithoutSockets {
  nameServers: NameServers;
  now: number;
  /** Returns the response packet, or `undefined` without a response. */
  send(bytes: Uint8Array, options?: QueryOptions): Uint8Array | undefined;
  query(name: string, type: string, options?: QueryOptions): ReadResponse;
}

export function dnsWithoutSockets({
  zones = [],
  faults = [],
}: { zones?: string[]; faults?: DnsFault[] } = {}): DnsWithoutSockets {
  const files = [BUILT_IN_ZONES, ...zones].map(readZoneFile);
  const nameServers = createNameServers(files.map((file) => file.zones));
  const handle = createDnsHandler({
    nameServers,
    cached: files.flatMap(({ cached }) => cached),
    faults: createDnsFaults([...BUILT_IN_FAULTS, ...faults], 1),
    journal: { record: () => undefined },
    now: NOON,
  });
  const dns: DnsWithoutSockets = {
    nameServers,
    now: NOON,
    send: (bytes, { server = '127.0.0.1', over = 'udp' } = {}) =>
      handle(bytes, { server, over }, dns.now)?.packet,
    query(name, type, options) {
      const response = dns.send(queryBytes(name, type, options), options);
      if (response === undefined) throw new Error(`No response to ${name} ${type}`);
      return readResponse(response);
    },
  };
  return dns;
}

/** The DNS of a mock that listens. */
export function dnsOf({ dns }: { dns: MockDns | undefined }): MockDns {
  if (dns === undefined) throw new Error('The mock has no DNS');
  return dns;
}
