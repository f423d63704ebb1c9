import { expect, test } from 'vitest';
import * as domain from '../../src/domain/index.js';

const WANTED = { name: 'a.b.test', kind: 'subdomain', zone: 'b.test', target: 'c.test' };
const RECORD = { type: 'CNAME', name: 'a.b.test', label: 'a', value: 'c.test' };
const ZONES = 'zones must be a list of zones, each with its records';

/** Calls a public function as a caller without TypeScript does. */
function call(name: keyof typeof domain, ...given: unknown[]): () => unknown {
  return () => (domain[name] as (...given: unknown[]) => unknown)(...given);
}

test.each<[keyof typeof domain, unknown[], string, string?]>([
  ['parseDomainName', [5], 'name must be a string'],
  ['parseDomainName', [], 'name must be a string'],
  ['expectedRecords', [], 'The records wanted must be an object'],
  ['expectedRecords', [5], 'The records wanted must be an object'],
  ['expectedRecords', [{ ...WANTED, zone: undefined }], 'zone must be a string'],
  ['expectedRecords', [{ ...WANTED, kind: 'root' }], 'kind must be one of apex, subdomain'],
  ['zoneFile', [{}], ZONES],
  ['zoneFile', [[{ zone: 5, records: [] }]], ZONES],
  ['zoneFile', [[{ zone: 'b.test', records: [{ ...RECORD, label: undefined }] }]], ZONES],
  ['zoneFile', [[{ zone: 'b.test', records: [null] }]], ZONES],
  ['recordChanges', [5], 'findings must be a list of findings'],
  ['recordChanges', [[null]], 'findings must be a list of findings'],
  ['nextDelay', [{}, 0, 0], 'phase must be one of record, propagation, certificate'],
  ['nextDelay', [null, 0, 0], 'The state must be an object'],
  ['nextDelay', [{ phase: 'propagation', nextExpiryMs: 'x' }, 0, 0], 'nextExpiryMs must be a number'],
  ['nextDelay', [{ phase: 'record' }], 'elapsedMs must be a number'],
  ['nextDelay', [{ phase: 'record' }, 0, Number.NaN], 'random must be a number'],
  [
    'exitCodeOf',
    [{}],
    'state must be one of active, verified, propagating, action-required, invalid, inconclusive',
  ],
  ['exitCodeOf', ['verified'], 'findings must be a list of findings'],
  ['exitCodeOf', ['verified', [], { until: 'actve' }], 'until must be one of verified, active'],
])('%s rejects %j', (name, given, message, hint) => {
  const error = { type: 'invalid-input', message, ...(hint === undefined ? {} : { hint }) };
  expect(call(name, ...given)).toThrow(expect.objectContaining(error) as Error);
});

test('additional fields of records are allowed', () => {
  const records = domain.expectedRecords({ ...WANTED, note: 'x' } as never);
  expect(domain.zoneFile([{ zone: 'b.test', records, note: 'x' } as never])).toContain('a 3600 IN CNAME');
});
