import { expect, test } from 'vitest';
import { checkDomain } from '../../src/domain/checks.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { fakeDns } from './fake-dns.js';
import { counter, resolverQueries, RESOLVER, TARGET, worldOf } from './world.js';

/** RFC 1034, section 3.6.2; RFC 2181, section 10.1. */
test.each([
  ['SRV', 'shop SRV 1 2 443 host', true],
  ['AAAA', 'shop AAAA 2001:db8::9'],
  ['MX', 'shop MX 10 mail'],
  ['TXT', 'shop TXT hello'],
  ['HTTPS', 'shop HTTPS 1 host'],
  ['CAA', 'shop CAA 0 issue ca.test'],
] as [type: string, line: string, thorough?: boolean][])(
  '%s next to a CNAME with the right target conflicts with it',
  async (type, line, thorough) => {
    const dns = fakeDns(worldOf([`shop CNAME ${TARGET}.`, line]));
    const report = await checkDomain(
      { domain: 'shop.example.test', target: TARGET, plan: 'Pro', deployed: true, thorough },
      { dns, clock: createVirtualClock(), random: counter(), resolvers: [RESOLVER] },
    );
    expect(report.state).toBe('action-required');
    expect(report.findings[0]).toMatchObject({
      id: 'conflict.coexist',
      severity: 'block',
      message: expect.stringMatching(new RegExp(` has ${type} .+ next to its CNAME`)),
      fix: { action: 'remove', records: [{ type, name: 'shop.example.test' }] },
    });
    expect(resolverQueries(dns, 'shop.example.test')).toEqual([]);
  },
);
