import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finding } from '../../../src/domain/report/finding.js';
import { diagnose } from '../../../src/domain/diagnose/diagnose.js';
import { estimateVisibility } from '../../../src/domain/gather/views/estimate.js';
import type { Facts } from '../../../src/domain/gather/facts/facts.js';
import type { Lookup } from '../../../src/domain/gather/facts/lookup.js';
import { nextSteps } from '../../../src/domain/diagnose/next-steps.js';
import { observe } from '../../../src/domain/diagnose/observed.js';
import { recordPlan } from '../../../src/domain/advice/record-plan.js';
import type { DnsRecord, RecordData } from '../../../src/domain/dns/dns.js';
import { stateOf } from '../../../src/domain/diagnose/verdict.js';
import {
  a,
  lookupOf,
  buildAbsentServer,
  buildApexFacts,
  buildFacts,
  buildServer,
  buildUniformServer,
  buildZone,
  caaRecord,
  NAME,
  nodata,
  silent,
  TARGET,
  value,
  ZONE,
} from '../facts-builder.js';
import { runs } from '../../support/random-runs.js';
import { anyCharacter } from '../../support/any-character.js';

describe('diagnose', () => {
  test('reports only info for a healthy subdomain', () => {
    const findings = diagnose(buildFacts());
    expect(findings.map(({ id }) => id)).toEqual(['record.ok', 'caa.ok', 'prop.done']);
    expect(stateOf(findings)).toBe('verified');
  });

  test('reports only info for a healthy apex', () => {
    const findings = diagnose(buildApexFacts());
    expect(findings.map(({ id }) => id)).toEqual(['apex.alias-proved', 'caa.ok', 'prop.done']);
    expect(stateOf(findings)).toBe('verified');
  });

  test('does not wait for a certificate that can not be issued', () => {
    const { caa } = buildFacts();
    const records = [caaRecord(NAME, 'issue', 'other.test')];
    const facts = buildFacts({ caa: { ...caa, owner: NAME, records } });
    const pending = [finding('cert.pending', 'wait', { message: 'It is missing.', evidence: [] })];
    expect(diagnose(facts, pending).map(({ id }) => id)).toEqual(['caa.blocked', 'record.ok', 'prop.done']);
    expect(diagnose(buildFacts(), pending).map(({ id }) => id)).toContain('cert.pending');
  });

  test('puts failed queries before an unknown plan and deploy', () => {
    const facts = buildFacts({
      plan: undefined,
      deployed: undefined,
      servers: [buildUniformServer(1, silent()), buildUniformServer(2, silent())],
      resolvers: [],
    });
    const ids = diagnose(facts).flatMap(({ id, severity }) => (severity === 'unknown' ? [id] : []));
    expect(ids).toEqual(['zone.unreachable-ns', 'plan.unknown', 'deploy.unknown']);
  });

  test('sorts by severity, records to remove first, probe findings last', () => {
    const facts = buildFacts({
      plan: undefined,
      zone: buildZone({ parentHosts: ['ns1.old.example'] }),
      servers: [buildServer(1, { cname: nodata(), aaaa: nodata(), a: value(a(NAME, '10.0.0.1')) })],
      resolvers: [],
    });
    const probed = {
      id: 'cert.no-tls',
      axis: 'certificate',
      severity: 'block',
      message: '\u0007',
      evidence: [],
    } as const;
    const findings = diagnose(facts, [probed]);
    expect(findings.map(({ id, severity }) => `${severity} ${id}`)).toEqual([
      'block record.reserved-address',
      'block cert.no-tls',
      'unknown plan.unknown',
      'warn zone.ns-mismatch',
      'info caa.ok',
    ]);
    expect(findings[1]?.message).toBe('^G');
  });

  test('is not verified without a finding that proves it', () => {
    const facts = buildFacts({
      servers: [],
      resolvers: [],
      zone: buildZone({ delegation: undefined, parentHosts: [], ownHosts: [] }),
    });
    expect(stateOf(diagnose(facts))).toBe('inconclusive');
  });
});

describe('with arbitrary DNS responses', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 80 }),
    fc.constantFrom(NAME, ZONE, TARGET, '', '.'),
  );
  const seconds = fc.oneof(fc.nat(), fc.constantFrom(0, 4_294_967_295));
  const data: fc.Arbitrary<RecordData> = fc.oneof(
    fc.record({ type: fc.constantFrom('A' as const, 'AAAA' as const), address: text }),
    fc.record({ type: fc.constantFrom('CNAME' as const, 'NS' as const), target: text }),
    fc.record({ type: fc.constant('MX' as const), preference: fc.nat(), target: text }),
    fc.record({ type: fc.constant('TXT' as const), text }),
    fc.record({ type: fc.constant('CAA' as const), flags: fc.nat(255), tag: text, value: text }),
    fc.record({
      type: fc.constant('HTTPS' as const),
      priority: fc.nat(),
      target: text,
      addressHints: fc.array(text),
    }),
    fc.record({ type: fc.constant('OTHER' as const), code: fc.nat() }),
  );
  const record: fc.Arbitrary<DnsRecord> = fc.record({ name: text, ttl: seconds, data });
  const records = fc.array(record, { maxLength: 4 });
  const lookup: fc.Arbitrary<Lookup> = fc
    .record({
      outcome: fc.constantFrom('value', 'nodata', 'nxdomain', 'failed', 'aborted'),
      type: fc.constantFrom('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'HTTPS', 'CAA'),
      isReply: fc.boolean(),
      host: text,
      trouble: text,
      negativeTtl: seconds,
      found: records,
      chain: records,
    })
    .map(({ outcome, type, isReply, host, trouble, negativeTtl, found, chain }) => {
      const server = { address: '192.0.2.1', port: 53, transport: 'dns', host } as const;
      const answered = lookupOf(type, value(...found), NAME, server);
      const silence = { kind: 'failure', reason: 'malformed', detail: trouble, elapsedMs: 1 } as const;
      return {
        ...answered,
        outcome,
        chain,
        trouble,
        negativeTtl,
        exchange: isReply ? answered.exchange : silence,
      };
    });
  const facts: fc.Arbitrary<Facts> = fc
    .record({
      apex: fc.boolean(),
      lookups: fc.array(lookup, { minLength: 12, maxLength: 12 }),
      hosts: fc.array(text, { maxLength: 3 }),
      chain: fc.array(fc.record({ from: text, to: text, ttl: seconds }), { maxLength: 4 }),
      caa: records,
      plan: text,
    })
    .map(({ apex, lookups, hosts, chain, caa, plan }) => {
      const base = apex ? buildApexFacts() : buildFacts();
      const [soa, cname, v4, v6, mx, txt, https, again, wildcard, doubled, ofResolver, ofCaa] = lookups as [
        Lookup,
        Lookup,
        Lookup,
        Lookup,
        Lookup,
        Lookup,
        Lookup,
        Lookup,
        Lookup,
        Lookup,
        Lookup,
        Lookup,
      ];
      const server = {
        ...buildServer(1),
        server: soa.server,
        soa,
        cname,
        a: v4,
        aaaa: v6,
        mx,
        txt,
        https,
        aRepeated: again,
      };
      const resolver = { server: soa.server, label: soa.server.host ?? '', a: ofResolver, aaaa: v6, cname };
      return {
        ...base,
        plan: { name: plan, paid: false, inferred: true },
        zone: { ...base.zone, delegation: doubled, parentHosts: hosts, unresolvedHosts: hosts },
        servers: [server, buildAbsentServer(2)],
        relatedNames: {
          wildcard: { name: hosts[0] ?? '', lookup: wildcard },
          others: [again],
          doubled,
          doubledControl: undefined,
          chain,
        },
        caa: { steps: [{ name: NAME, lookup: ofCaa }], owner: NAME, records: caa, issuer: undefined },
        resolvers: [resolver],
      };
    });

  test('does not throw, and prints no control characters', () => {
    fc.assert(
      fc.property(facts, (found) => {
        const findings = diagnose(found);
        const estimate = estimateVisibility(found);
        const report = {
          findings,
          observed: observe(found),
          next: nextSteps(found, stateOf(findings), findings, estimate),
          plan: recordPlan(found, findings),
          estimate: { ...estimate, perResolver: [] },
        };
        expect(strings(report).filter((text) => /[\p{C}\p{Zl}\p{Zp}]/u.test(text))).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });
});

function strings(shown: unknown): string[] {
  if (typeof shown === 'string') return [shown];
  return typeof shown === 'object' && shown !== null ? Object.values(shown).flatMap(strings) : [];
}
