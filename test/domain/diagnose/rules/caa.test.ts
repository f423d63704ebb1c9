import { expect, test } from 'vitest';
import { caa } from '../../../../src/domain/diagnose/rules/caa.js';
import {
  chainOf,
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
} from '../../facts-builder.js';
import type { DnsRecord } from '../../../../src/domain/dns/dns.js';
import { testRule } from '../../rule-table.js';

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
  {
    "only another authority, at the alias's target: caa.blocked block": [
      atTarget(ISSUER, caaRecord(TARGET, 'issue', 'digicert.com')),
      'The CAA records of cname.platform.test (the alias target of shop.example.com) permit only digicert.com',
      'Ask the support of the service behind cname.platform.test to allow letsencrypt.org',
      'dig +norecurse @192.0.2.80 cname.platform.test CAA',
    ],
    "a critical property at the alias's target: caa.critical block": [
      atTarget(ISSUER, caaRecord(TARGET, 'tbs', 'x', 128)),
      'Ask the support of the service behind cname.platform.test to remove',
    ],
    'only another authority: caa.blocked block': [
      having(ISSUER, issue('digicert.com')),
      'permit only digicert.com',
      'Add CAA @ -> 0 issue "letsencrypt.org", TTL 3600. Keep the other records.',
      'dig +norecurse @192.0.2.1 example.com CAA',
    ],
    'the platform’s authority among others: caa.ok info': having(
      ISSUER,
      issue('digicert.com'),
      issue('LetsEncrypt.org', 0, 'ISSUE'),
    ),
    'the platform’s authority with a harmless parameter: caa.ok info': having(
      ISSUER,
      issue('letsencrypt.org; x=1'),
    ),
    'the platform’s authority for one account only: caa.blocked warn': [
      having(ISSUER, issue('letsencrypt.org; validationmethods=dns-01; accounturi=https://a.example/1')),
      'validationmethods=dns-01',
    ],
    'an unknown issuer, and a restriction: caa.blocked warn': having(undefined, issue('digicert.com')),
    'no authority at all: caa.blocked block': [
      having(undefined, issue(';')),
      'permit no certificate authority',
    ],
    'a restriction for wildcards only: caa.ok info': having(ISSUER, issue('digicert.com', 0, 'issuewild')),
    'a contact address only: caa.ok info': having(ISSUER, issue('mailto:a@example.com', 0, 'iodef')),
    'an unknown critical property: caa.critical block': [
      having(ISSUER, issue(ISSUER), issue('x', 128, 'tbs')),
      '128 tbs "x"',
    ],
    'flag 1 instead of 128: caa.critical block': having(ISSUER, issue('x', 1, 'tbs')),
    'a known critical property: caa.ok info': having(ISSUER, issue(ISSUER, 128)),
    'an unknown property that is not critical: caa.ok info': having(ISSUER, issue('x', 0, 'tbs')),
    'an error response: caa.lookup-failed block': [
      failing(refused('SERVFAIL')),
      'fails (SERVFAIL)',
      'do not issue while it fails',
    ],
    'no response: caa.lookup-failed unknown': failing(silent()),
    'an unreachable zone is reported once: nothing': {
      ...failing(refused('REFUSED')),
      servers: [buildUniformServer(1, refused('REFUSED'))],
    },
    'a silent zone is reported once: nothing': {
      ...failing(silent()),
      servers: [buildUniformServer(1, silent())],
    },
    'behind an alias that has to change anyway: nothing': {
      ...failing(throughWrong),
      servers: [buildServer(1, wrongly)],
      relatedNames: { chain: chainOf(NAME, 'www.elsewhere.test') },
    },
    'no record can be added next to the CNAME: caa.blocked block': [
      { caa: besideAlias },
      "Remove the CAA records of shop.example.com: they can't coexist with the CNAME",
    ],
    'no CAA lookups: nothing': { caa: { steps: [], owner: undefined, records: [], issuer: undefined } },
  },
  ['caa.ok', 'caa.ok'],
);

test("suggests no record if the CAA records are at the alias's target", () => {
  for (const [tag, flags] of [
    ['issue', 0],
    ['tbs', 128],
  ] as const) {
    for (const issuer of [ISSUER, undefined]) {
      const [finding] = caa(atTarget(issuer, caaRecord(TARGET, tag, 'digicert.com', flags)));
      expect(finding?.fix).toMatchObject({ action: 'other', remove: [], add: [] });
    }
  }
});
