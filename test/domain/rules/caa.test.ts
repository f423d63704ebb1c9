import { expect, test } from 'vitest';
import { caa } from '../../../src/domain/rules/caa.js';
import {
  lookupOf,
  buildFacts,
  buildServer,
  buildUniformServer,
  caaRecord,
  cname,
  NAME,
  nodata,
  refused,
  silent,
  TARGET,
  throughAlias,
  value,
  ZONE,
} from '../facts-builder.js';
import type { DnsRecord } from '../../../src/domain/resolver/dns.js';
import { testRule } from '../rule-table.js';

const ISSUER = 'letsencrypt.org';
const having = (issuer: string | undefined, ...records: DnsRecord[]) =>
  buildFacts({
    caa: {
      steps: [
        { name: NAME, lookup: lookupOf('CAA', nodata()) },
        { name: ZONE, lookup: lookupOf('CAA', value(...records), ZONE) },
      ],
      owner: ZONE,
      records,
      issuer,
    },
  });
const PLATFORM = { address: '192.0.2.80', port: 53, transport: 'dns', host: 'ns.platform.test' } as const;
const atTarget = (issuer: string | undefined, record: DnsRecord) =>
  buildFacts({
    caa: {
      steps: [
        { name: NAME, lookup: lookupOf('CAA', throughAlias(cname(NAME, TARGET), record), TARGET, PLATFORM) },
      ],
      owner: NAME,
      records: [record],
      issuer,
    },
  });
const answerless = refused('SERVFAIL');
const issue = (text: string, flags = 0, tag = 'issue') => caaRecord(ZONE, tag, text, flags);
const failing = (answer: ReturnType<typeof silent>) =>
  buildFacts({
    caa: {
      steps: [{ name: NAME, lookup: lookupOf('CAA', answer) }],
      owner: undefined,
      records: [],
      issuer: ISSUER,
    },
  });

const wrong = cname(NAME, 'www.elsewhere.test');
const behind = throughAlias(wrong);
const wrongly = { cname: value(wrong), a: behind, aaaa: behind, mx: behind, txt: behind, https: behind };
const throughWrong: typeof answerless = (question, server) => ({
  ...answerless(question, server),
  chain: [wrong],
});
const own = caaRecord(NAME, 'issue', 'other.test');
const besideAlias = {
  steps: [{ name: NAME, lookup: lookupOf('CAA', value(own)) }],
  owner: NAME,
  records: [own],
  issuer: ISSUER,
};

testRule(
  caa,
  [
    {
      name: "only another authority, at the alias's target",
      facts: atTarget(ISSUER, caaRecord(TARGET, 'issue', 'digicert.com')),
      finds: ['caa.blocked block'],
      says: [
        'The CAA records of cname.platform.test (the alias target of shop.example.com) permit only digicert.com',
        'Ask the support of the service behind cname.platform.test to allow letsencrypt.org',
      ],
      shows: ['dig +norecurse @192.0.2.80 cname.platform.test CAA'],
    },
    {
      name: "a critical property at the alias's target",
      facts: atTarget(ISSUER, caaRecord(TARGET, 'tbs', 'x', 128)),
      finds: ['caa.critical block'],
      says: ['Ask the support of the service behind cname.platform.test to remove'],
    },
    {
      name: 'only another authority',
      facts: having(ISSUER, issue('digicert.com')),
      finds: ['caa.blocked block'],
      says: [
        'permit only digicert.com',
        'Add CAA 0 issue "letsencrypt.org" at example.com. Keep the other records.',
      ],
      shows: ['dig +norecurse @192.0.2.1 example.com CAA'],
    },
    {
      name: 'the platform’s authority among others',
      facts: having(ISSUER, issue('digicert.com'), issue('LetsEncrypt.org', 0, 'ISSUE')),
      finds: ['caa.ok info'],
    },
    {
      name: 'the platform’s authority with a harmless parameter',
      facts: having(ISSUER, issue('letsencrypt.org; x=1')),
      finds: ['caa.ok info'],
    },
    {
      name: 'the platform’s authority for one account only',
      facts: having(
        ISSUER,
        issue('letsencrypt.org; validationmethods=dns-01; accounturi=https://a.example/1'),
      ),
      finds: ['caa.blocked warn'],
      says: ['validationmethods=dns-01'],
    },
    {
      name: 'an unknown issuer, and a restriction',
      facts: having(undefined, issue('digicert.com')),
      finds: ['caa.blocked warn'],
    },
    {
      name: 'no authority at all',
      facts: having(undefined, issue(';')),
      finds: ['caa.blocked block'],
      says: ['permit no certificate authority'],
    },
    {
      name: 'a restriction for wildcards only',
      facts: having(ISSUER, issue('digicert.com', 0, 'issuewild')),
      finds: ['caa.ok info'],
    },
    {
      name: 'a contact address only',
      facts: having(ISSUER, issue('mailto:a@example.com', 0, 'iodef')),
      finds: ['caa.ok info'],
    },
    {
      name: 'an unknown critical property',
      facts: having(ISSUER, issue(ISSUER), issue('x', 128, 'tbs')),
      finds: ['caa.critical block'],
      says: ['128 tbs "x"'],
    },
    {
      name: 'flag 1 instead of 128',
      facts: having(ISSUER, issue('x', 1, 'tbs')),
      finds: ['caa.critical block'],
    },
    {
      name: 'a known critical property',
      facts: having(ISSUER, issue(ISSUER, 128)),
      finds: ['caa.ok info'],
    },
    {
      name: 'an unknown property that is not critical',
      facts: having(ISSUER, issue('x', 0, 'tbs')),
      finds: ['caa.ok info'],
    },
    {
      name: 'an error response',
      facts: failing(refused('SERVFAIL')),
      finds: ['caa.lookup-failed block'],
      says: ['fails (SERVFAIL)', 'do not issue while it fails'],
    },
    {
      name: 'no response',
      facts: failing(silent()),
      finds: ['caa.lookup-failed unknown'],
    },
    ...[refused('REFUSED'), silent()].map((answer, index) => ({
      name: `an unreachable zone is reported once (${index})`,
      facts: { ...failing(answer), servers: [buildUniformServer(1, answer)] },
      finds: [],
    })),
    {
      name: 'behind an alias that has to change anyway',
      facts: {
        ...failing(throughWrong),
        servers: [buildServer(1, wrongly)],
        relatedNames: {
          ...buildFacts().relatedNames,
          chain: [{ from: NAME, to: 'www.elsewhere.test', ttl: 3600 }],
        },
      },
      finds: [],
    },
    {
      name: 'no record can be added next to the CNAME',
      facts: buildFacts({ caa: besideAlias }),
      finds: ['caa.blocked block'],
      says: ["Remove the CAA records of shop.example.com: they can't coexist with the CNAME"],
    },
    {
      name: 'no CAA lookups',
      facts: buildFacts({ caa: { steps: [], owner: undefined, records: [], issuer: undefined } }),
      finds: [],
    },
  ],
  ['caa.ok', 'caa.ok'],
);

test("suggests no record if the CAA records are at the alias's target", () => {
  for (const [tag, flags] of [
    ['issue', 0],
    ['tbs', 128],
  ] as const) {
    for (const issuer of [ISSUER, undefined]) {
      const [finding] = caa(atTarget(issuer, caaRecord(TARGET, tag, 'digicert.com', flags)));
      expect(finding?.fix).toMatchObject({ action: 'other', records: [] });
    }
  }
});
