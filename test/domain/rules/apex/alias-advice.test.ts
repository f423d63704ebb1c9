import { expect, test } from 'vitest';
import { addProvider } from '../../../../src/domain/provider/find-provider.js';
import { aliasAdvice } from '../../../../src/domain/rules/apex/alias-advice.js';
import { buildApexFacts, buildZone } from '../../facts-builder.js';

function adviceAt(...ownHosts: string[]): string {
  return aliasAdvice(addProvider(buildApexFacts({ zone: buildZone({ kind: 'apex', ownHosts }) })));
}

test('the advice says that it is only probable', () => {
  expect(adviceAt('ns1.porkbun.com')).toBe(
    ' Your DNS is at Porkbun, which probably supports this (type ALIAS in its panel).',
  );
  expect(adviceAt('ns1.vultr.com')).toContain('does not support it');
  expect(adviceAt('ns-1.awsdns-01.org')).toContain('only for its own services');
});

test('there is no advice if the provider, or what it supports, is not known', () => {
  expect(adviceAt('ns1.example.net')).toBe('');
  expect(adviceAt('ns1.digitalocean.com')).toBe('');
});
