import { networkInterfaces } from 'node:os';
import type { CheckOptions } from '../../src/domain/index.js';
import type { Endpoint } from './endpoint.js';
import { createLab } from './lab.js';
import { type NameServer, startNameServer } from './name-server.js';
import { type Resolver, startResolver } from './resolver.js';
import { delegationOf, type ServedZone, topZones } from './zone-text.js';

/** Each server has its own address; all use one port. */
const ADDRESS = {
  registry: '127.53.0.1',
  first: '127.53.0.2',
  second: '127.53.0.3',
  alias: '127.53.0.4',
  resolver: '127.53.0.5',
  sixth: hasIpv6Loopback() ? '::1' : '127.53.0.6',
};

export const TARGET = 'cname.platform.test';
/** TTL of the platform's addresses, in seconds. */
export const PLATFORM_TTL = 300;
/** Negative TTL of `brief.test`, in seconds. */
export const BRIEF_TTL = 6;
/** The records of `example.test` at the start. */
export const EXAMPLE_RECORDS = [
  `shop CNAME ${TARGET}.`,
  'moved 1800 A 198.51.100.7',
  'slow 7200 A 198.51.100.8',
];

const EXAMPLE: ServedZone = {
  name: 'example.test',
  serial: 1,
  hosts: { ns1: ADDRESS.first },
  records: EXAMPLE_RECORDS,
};
const PLATFORM: ServedZone = {
  name: 'platform.test',
  serial: 1,
  hosts: { ns1: ADDRESS.first },
  records: [`cname ${String(PLATFORM_TTL)} A 192.0.2.10`, `cname ${String(PLATFORM_TTL)} AAAA 2001:db8::10`],
};
const TRUNCATED: ServedZone = {
  name: 'truncated.test',
  serial: 1,
  hosts: { ns1: ADDRESS.first },
  records: [`shop CNAME ${TARGET}.`],
  overTcp: true,
};
/** A zone with short TTLs, so that a test can wait for them. */
const BRIEF: ServedZone = {
  name: 'brief.test',
  serial: 1,
  hosts: { ns1: ADDRESS.first },
  records: [],
  negativeTtl: BRIEF_TTL,
};
const SIXTH: ServedZone = {
  name: 'sixth.test',
  serial: 1,
  hosts: { ns1: ADDRESS.sixth },
  records: [`shop CNAME ${TARGET}.`],
};
const BEHIND: ServedZone = {
  name: 'behind.test',
  serial: 2,
  hosts: { ns1: ADDRESS.first, ns2: ADDRESS.second },
  records: [`shop CNAME ${TARGET}.`],
};
const BEHIND_OLD: ServedZone = { ...BEHIND, serial: 1, records: [] };
const ALIAS: ServedZone = {
  name: 'alias.test',
  serial: 1,
  hosts: { ns1: ADDRESS.alias },
  records: [
    `@ 3600 ALIAS ${TARGET}.`,
    '@ MX 10 mail.example.test.',
    // Its server returns one of them, except for the type CNAME.
    `two CNAME ${TARGET}.`,
    'two CNAME old.example.test.',
  ],
};
const DELEGATED = [EXAMPLE, PLATFORM, TRUNCATED, BRIEF, BEHIND, ALIAS, SIXTH];

/** A small, isolated Internet of real servers on loopback addresses. */
export interface Internet {
  /** For `checkDomain`: the resolver and the port of the name servers. */
  options: CheckOptions;
  /** Flags for the command. */
  flags: readonly string[];
  /** Knot DNS, for all zones except one. */
  first: NameServer;
  /** Unbound. */
  resolver: Resolver & { endpoint: Endpoint };
  close(): Promise<void>;
}

/** Starts a registry, two name servers that should agree, one at IPv6 if available, one with ALIAS support, and a resolver. */
export async function startInternet(): Promise<Internet> {
  const { at, daemons, options, close } = await createLab(ADDRESS);
  try {
    const knot = (name: keyof typeof ADDRESS, zones: readonly ServedZone[]): Promise<NameServer> =>
      startNameServer('knot', daemons, at(name), zones);
    const [first] = await Promise.all([
      knot('first', [EXAMPLE, PLATFORM, TRUNCATED, BRIEF, BEHIND]),
      knot('second', [BEHIND_OLD]),
      knot('registry', topZones(ADDRESS.registry, DELEGATED.flatMap(delegationOf))),
      knot('sixth', [SIXTH]),
    ]);
    const endpoint = at('resolver');
    const resolver = await startResolver('unbound', daemons, endpoint, at('registry'), DELEGATED);
    await startNameServer('powerdns', daemons, at('alias'), [ALIAS], endpoint);
    const used = options('resolver');
    const flags = ['--resolver', ...used.resolvers, '--authoritative-port', String(used.authoritativePort)];
    return {
      options: used,
      flags,
      first,
      resolver: { ...resolver, endpoint },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether this machine has ::1: some containers do not. */
export function hasIpv6Loopback(): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
}
