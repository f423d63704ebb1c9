import { expect, test } from 'vitest';
import { resolverQueries, TARGET, zoneLab } from './world.js';

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
    const { dns, check } = zoneLab([`shop CNAME ${TARGET}.`, line]);
    const report = await check({ thorough });
    expect(report.state).toBe('action-required');
    expect(report.findings[0]).toMatchObject({
      id: 'conflict.coexist',
      severity: 'block',
      message: expect.stringMatching(new RegExp(` has ${type} .+ next to its CNAME`)),
      fix: { action: 'remove', remove: [{ type, name: 'shop.example.test' }] },
    });
    expect(resolverQueries(dns, 'shop.example.test')).toEqual([]);
  },
);
