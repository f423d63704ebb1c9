import { describe, expect, test } from 'vitest';
import { recordPlan } from '../../../src/domain/records/record-plan.js';
import {
  a,
  lookupOf,
  buildAbsentServer,
  buildApexFacts,
  buildApexServer,
  buildFacts,
  buildServer,
  buildUniformServer,
  caaRecord,
  cname,
  mx,
  NAME,
  nodata,
  nxdomain,
  silent,
  value,
  ZONE,
} from '../facts-builder.js';

const wanted = { type: 'CNAME', name: NAME, label: 'shop', value: 'cname.platform.test', ttl: 3600 };
const withAddress = (ttl: number) =>
  buildFacts({ servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99', ttl)) })], resolvers: [] });

describe('recordPlan', () => {
  test('of a new name: add it; who has asked before may remember its absence', () => {
    const none = nxdomain(900);
    const facts = buildFacts({
      servers: [buildAbsentServer(1, { cname: none, a: none, aaaa: none })],
      resolvers: [],
    });
    expect(recordPlan(facts)).toEqual({
      domain: facts.domain,
      kind: 'subdomain',
      zone: ZONE,
      decidedBy: 'zone-cut',
      expected: [wanted],
      remove: [],
      steps: [{ action: 'add', text: 'Add CNAME shop -> cname.platform.test, TTL 3600.', records: [wanted] }],
      visibleInSeconds: 900,
    });
  });

  test('an absence is remembered for three hours at most', () => {
    const none = nxdomain(172_800);
    const facts = buildFacts({ servers: [buildAbsentServer(1, { cname: none, a: none, aaaa: none })] });
    expect(recordPlan(facts).visibleInSeconds).toBe(10_800);
  });

  test('of an old record: remove it first', () => {
    const plan = recordPlan(withAddress(300));
    expect(plan.remove).toEqual([{ type: 'A', name: NAME, label: 'shop', value: '192.0.2.99' }]);
    expect(plan.steps.map(({ action, notBefore }) => [action, notBefore])).toEqual([
      ['remove', undefined],
      ['add', undefined],
    ]);
    expect(plan.visibleInSeconds).toBe(300);
  });

  test('of an old record that is remembered for long: lower its TTL today, switch tomorrow', () => {
    const plan = recordPlan(withAddress(86_400));
    expect(plan.steps.map(({ action, notBefore }) => [action, notBefore])).toEqual([
      ['lower-ttl', undefined],
      ['remove', '2026-11-22T14:18:00.000Z'],
      ['add', '2026-11-22T14:18:00.000Z'],
    ]);
    expect(plan.steps[0]).toMatchObject({
      text: 'Lower the TTL of A 192.0.2.99 from 86400 to 300 now, and wait 1 day: until then some visitors remember the old answer.',
      records: [{ type: 'A', value: '192.0.2.99', ttl: 300 }],
    });
    expect(plan.visibleInSeconds).toBe(300);
  });

  test('only what is remembered for long is lowered', () => {
    const answers = { a: value(a(NAME, '192.0.2.99', 86_400)), mx: value(mx(NAME, 'mail.example.com')) };
    const [lower, remove] = recordPlan(buildFacts({ servers: [buildAbsentServer(1, answers)] })).steps;
    expect(lower?.records.map(({ type }) => type)).toEqual(['A']);
    expect(remove?.records.map(({ type }) => type)).toEqual(['A', 'MX']);
  });

  test('of a subdomain takes away whatever cannot stand beside a CNAME', () => {
    const facts = buildFacts({
      servers: [buildAbsentServer(1, { mx: value(mx(NAME, 'mail.example.com')) })],
    });
    expect(recordPlan(facts).remove.map(({ type }) => type)).toEqual(['MX']);
  });

  test('a wildcard’s records are not under the name: nothing to remove, and its answer is remembered', () => {
    const lookup = lookupOf('A', value(a('x7.shop.example.com', '192.0.2.99')), 'x7.shop.example.com');
    const facts = buildFacts({
      servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99', 7200)) })],
      relatedNames: { ...buildFacts().relatedNames, wildcard: { name: '*.example.com', lookup } },
    });
    expect(recordPlan(facts)).toMatchObject({
      remove: [],
      steps: [
        {
          action: 'add',
          text: 'Add CNAME shop -> cname.platform.test, TTL 3600. It takes precedence over the wildcard *.example.com, which may stay.',
        },
      ],
      visibleInSeconds: 7200,
    });
  });

  test('of a subdomain takes away what one server was asked for', () => {
    const facts = buildFacts({
      servers: [buildServer(1, { cname: value(cname(NAME, 'www.example.net')) })],
      caa: {
        ...buildFacts().caa,
        steps: [{ name: NAME, lookup: lookupOf('CAA', value(caaRecord(NAME, 'issue', 'ca.test'))) }],
      },
    });
    expect(recordPlan(facts).remove.map(({ type }) => type)).toEqual(['CNAME', 'CAA']);
  });

  test('of an apex leaves the mail alone', () => {
    const facts = buildApexFacts({
      servers: [buildApexServer(1, { a: value(a(ZONE, '192.0.2.99', 60)), aaaa: nodata() })],
    });
    expect(recordPlan(facts)).toMatchObject({
      remove: [{ type: 'A', label: '@' }],
      steps: [{ action: 'remove' }, { action: 'add', text: 'Add ALIAS @ -> cname.platform.test, TTL 3600.' }],
    });
  });

  test('of what is right: nothing to do', () => {
    expect(recordPlan(buildFacts())).toMatchObject({ remove: [], steps: [], visibleInSeconds: 0 });
  });

  test('without an answer: what to have, and no promise', () => {
    const plan = recordPlan(buildFacts({ servers: [buildUniformServer(1, silent())] }));
    expect(plan).toMatchObject({ remove: [], steps: [{ action: 'add' }] });
    expect(plan).not.toHaveProperty('visibleInSeconds');
  });
});
