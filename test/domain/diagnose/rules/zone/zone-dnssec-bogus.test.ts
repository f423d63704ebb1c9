import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DnssecFacts, Facts, RejectedFacts } from '../../../../../src/domain/gather/facts/facts.js';
import type { Lookup } from '../../../../../src/domain/gather/facts/lookup.js';
import type { DnsRecord, DnsServer, RecordType } from '../../../../../src/domain/dns/dns.js';
import { propagation } from '../../../../../src/domain/diagnose/rules/propagation.js';
import { zoneDnssecBogus } from '../../../../../src/domain/diagnose/rules/zone/zone-dnssec-bogus.js';
import {
  a,
  buildFacts,
  buildResolver,
  buildZone,
  flagged,
  lookupOf,
  NAME,
  nodata,
  QUERIED_AT,
  type QueryResult,
  refused,
  silent,
  TARGET,
  TARGET_A,
  value,
  ZONE,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';

/** A key, with the DS record and the signatures that belong to it. */
function keyOf(rest: string, algorithm = 13) {
  const keyTag = Number.parseInt(rest, 16) % 0xffff;
  const rdata = `0101030d${rest}`;
  const owner = Buffer.from('\x07example\x03com\x00', 'latin1');
  const digest = createHash('sha256').update(owner).update(Buffer.from(rdata, 'hex')).digest('hex');
  const record = (data: DnsRecord['data'], name = ZONE): DnsRecord => ({ name, ttl: 3600, data });
  const signature = (covered: number, name: string, days = 10): DnsRecord => {
    const [inception, expiration] = [QUERIED_AT / 1000 - 864_000, QUERIED_AT / 1000 + days * 86_400];
    return record({ type: 'RRSIG', covered, keyTag, inception, expiration, signer: ZONE }, name);
  };
  const dnskey = record({ type: 'DNSKEY', flags: 257, algorithm, keyTag, rdata });
  return {
    ds: (digestType = 2) => record({ type: 'DS', keyTag, algorithm, digestType, digest }),
    dnskey: signedAnswer([dnskey, signature(48, ZONE)]),
    record: (days = 10) =>
      signedAnswer([record({ type: 'CNAME', target: TARGET }, NAME), signature(5, NAME, days)]),
  };
}

/** A response with signatures, which `records` leaves out. */
function signedAnswer(answers: readonly DnsRecord[]): QueryResult {
  return (question, server) => {
    const [first] = answers;
    const lookup = value(...(first === undefined ? [] : [first]))(question, server);
    if (lookup.exchange.kind === 'failure') return lookup;
    return {
      ...lookup,
      exchange: { ...lookup.exchange, response: { ...lookup.exchange.response, answers } },
    };
  };
}

const KEY = keyOf('0a0b0c');
const OTHER = keyOf('0d0e0f');
const UNSIGNED = signedAnswer([{ name: NAME, ttl: 3600, data: { type: 'CNAME', target: TARGET } }]);

/** The zone at ns1, ns2, …: DNSKEY and CNAME responses of each. */
function signedZone(ds: readonly DnsRecord[], ...responses: [QueryResult, QueryResult][]): DnssecFacts {
  const at = (index: number, type: RecordType, result: QueryResult, name: string): Lookup => {
    const server: DnsServer = {
      address: `192.0.2.${String(index)}`,
      port: 53,
      transport: 'dns',
      host: `ns${String(index)}.example.net`,
    };
    return lookupOf(type, result, name, server);
  };
  return {
    zone: ZONE,
    owner: 'domain',
    ds: lookupOf('DS', value(...ds), ZONE),
    servers: responses.map(([dnskey, record], index) => {
      const keys = at(index + 1, 'DNSKEY', dnskey, ZONE);
      return { server: keys.server, dnskey: keys, record: at(index + 1, 'CNAME', record, NAME) };
    }),
  };
}

const failing = buildResolver('192.0.2.55', { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') });
const responding = buildResolver('192.0.2.55', { a: value(a(NAME, TARGET_A)) }).a;
const lookup = (result: Lookup) => ({ ...result, question: { name: TARGET, type: 'A' as const } });
const rejecting: RejectedFacts['tests'][number] = { checked: failing.a, unchecked: responding };
const healthyZone = signedZone([KEY.ds()], [KEY.dnskey, KEY.record()]);

/** A resolver that fails without the CD flag, in a zone with a DS record. */
function rejectedFacts(
  tests: RejectedFacts['tests'],
  others: Partial<{ target: Lookup; dnssec: Facts['dnssec'] }> = {},
): Facts {
  const { target = responding, dnssec = [healthyZone] } = others;
  const rejected = { ...failing, rejected: { tests, target: lookup(target) } };
  return buildFacts({ dnssec, resolvers: [rejected] });
}

const networkError: Lookup = {
  ...failing.a,
  exchange: {
    kind: 'response',
    elapsedMs: 1,
    response: {
      ...(failing.a.exchange.kind === 'response' ? failing.a.exchange.response : never()),
      extendedErrors: [{ code: 22, text: 'At delegation example.com' }],
    },
  },
};

function never(): never {
  throw new Error('The resolver has a response');
}

testRule(zoneDnssecBogus, {
  'a resolver twice responds only with the CD flag: zone.dnssec-bogus block': [
    rejectedFacts([rejecting, rejecting]),
    '192.0.2.55 rejects shop.example.com',
    'DNSSEC of example.com is probably broken',
    'at your registrar',
    'Keep the DS record',
    'dig @192.0.2.55 shop.example.com A',
    'dig +cd +dnssec @192.0.2.55 shop.example.com A',
  ],
  'a resolver rejects the target too: zone.dnssec-bogus block': [
    rejectedFacts([rejecting, rejecting], {
      target: failing.a,
      dnssec: [{ ...healthyZone, owner: 'target' }],
    }),
    "DNSSEC of the target's zone is probably broken",
    'Contact the support of the service',
  ],
  'no server signs the zone: the DS record is left over: zone.dnssec-bogus block': [
    { dnssec: [signedZone([KEY.ds()], [nodata(), UNSIGNED], [nodata(), UNSIGNED])] },
    'its name servers do not sign the zone',
    'enter its DS record at your registrar instead. Otherwise: Remove the DS record of example.com there',
    'If this finding is wrong, removing the DS record turns off a working DNSSEC',
  ],
  'no key matches at any server: zone.dnssec-bogus block': [
    { dnssec: [signedZone([OTHER.ds()], [KEY.dnskey, KEY.record()])] },
    'Replace the DS record',
    'If this finding is wrong',
  ],
  'a key that can not be compared, because its digest is unknown: nothing': {
    dnssec: [signedZone([OTHER.ds(), KEY.ds(6)], [KEY.dnskey, KEY.record()])],
  },
  'only digests or algorithms that resolvers do not know: nothing': {
    dnssec: [signedZone([OTHER.ds(6)], [KEY.dnskey, KEY.record()])],
  },
  'a signed zone: nothing': { dnssec: [healthyZone] },
});

describe('the removal of a DS record is not advised', () => {
  const silence = [silent(), silent()] satisfies [QueryResult, QueryResult];
  test.each<[string, DnssecFacts, Partial<Facts>?]>([
    [
      'if the DNSKEY query to one server times out',
      signedZone([KEY.ds()], [nodata(), UNSIGNED], [silent(), UNSIGNED]),
    ],
    [
      'if a truncated DNSKEY response is not available over TCP',
      signedZone([KEY.ds()], [nodata(), UNSIGNED], [silent('malformed'), UNSIGNED]),
    ],
    ['if one server is silent', signedZone([OTHER.ds()], [KEY.dnskey, KEY.record()], silence)],
    [
      'if the address of one server is unknown',
      signedZone([KEY.ds()], [nodata(), UNSIGNED]),
      { zone: buildZone({ failedHosts: ['ns2.example.net'] }) },
    ],
    [
      'if one server has the key',
      signedZone([KEY.ds()], [KEY.dnskey, KEY.record()], [OTHER.dnskey, OTHER.record()]),
    ],
    ['if one server does not sign', signedZone([KEY.ds()], [KEY.dnskey, KEY.record()], [nodata(), UNSIGNED])],
    ['for expired signatures', signedZone([KEY.ds()], [KEY.dnskey, KEY.record(-1)])],
    ['for records without signatures', signedZone([KEY.ds()], [KEY.dnskey, UNSIGNED])],
    ['if the keys are missing, but the records are signed', signedZone([KEY.ds()], [nodata(), KEY.record()])],
    [
      'if a server or a firewall has no EDNS, and may remove keys',
      signedZone([KEY.ds()], [flagged(nodata(), { withoutEdns: true }), UNSIGNED]),
    ],
  ])('%s', (_, dnssec, facts = {}) => {
    const [found] = zoneDnssecBogus(buildFacts({ ...facts, dnssec: [dnssec] }));
    expect(found).toMatchObject({ severity: 'block' });
    expect(found?.fix?.text).toContain('Keep the DS record');
    expect(found?.fix?.text.toLowerCase()).not.toMatch(/\bremov|\breplace/);
  });

  test('if the signatures can not be seen without EDNS: nothing is known', () => {
    const withoutEdns = flagged(KEY.dnskey, { withoutEdns: true });
    const dnssec = signedZone([KEY.ds()], [withoutEdns, UNSIGNED]);
    expect(zoneDnssecBogus(buildFacts({ dnssec: [dnssec] }))).toEqual([]);
  });
});

describe('a SERVFAIL is prop.resolver-error, not zone.dnssec-bogus,', () => {
  const passing = { checked: responding, unchecked: responding };
  const lone = { ...failing, isDefault: true };
  test.each<[string, Facts]>([
    ['if it was not repeated', rejectedFacts([rejecting])],
    ['if it has passed some seconds later', rejectedFacts([rejecting, passing])],
    [
      'if the CD flag makes no difference',
      rejectedFacts([rejecting, { checked: failing.a, unchecked: failing.a }]),
    ],
    ['if the zone has no DS record', rejectedFacts([rejecting, rejecting], { dnssec: [] })],
    [
      'if only the other zone has a DS record',
      rejectedFacts([rejecting, rejecting], { dnssec: [{ ...healthyZone, owner: 'target' }] }),
    ],
    [
      'if the resolver reports an error of its network',
      rejectedFacts([
        { checked: networkError, unchecked: responding },
        { checked: networkError, unchecked: responding },
      ]),
    ],
  ])('%s', (_, facts) => {
    expect(zoneDnssecBogus(facts)).toEqual([]);
    expect(propagation(facts).map(({ id }) => id)).toEqual(['prop.resolver-error']);
  });

  test('if only one default resolver rejects, and another one has the record', () => {
    const rejected = { tests: [rejecting, rejecting], target: lookup(responding) };
    const resolvers = [{ ...lone, rejected }, buildResolver('192.0.2.60')];
    const facts = buildFacts({ dnssec: [healthyZone], resolvers });
    expect(zoneDnssecBogus(facts)).toEqual([]);
    expect(propagation(facts)).toMatchObject([{ id: 'prop.resolver-error', severity: 'warn' }]);
    const both = [{ ...lone, rejected }, { ...lone, rejected }, buildResolver('192.0.2.60')];
    expect(zoneDnssecBogus({ ...facts, resolvers: both })).toMatchObject([{ severity: 'block' }]);
  });
});
