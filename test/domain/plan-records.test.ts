import { expect, test } from 'vitest';
import { planRecords } from '../../src/domain/run/checks.js';
import { NS1, RESOLVER, TARGET, TLD, resolverQueries, worldOf, zoneLab } from './world.js';

test('plans records to set and to remove, relative to the real zone', async () => {
  const world = worldOf(['blocked A 192.0.2.99', 'team NS ns.team', `ns.team A ${NS1}`], {
    zones: { 'team.example.test': ['@ NS ns', `ns A ${NS1}`] },
    servers: { [NS1]: ['example.test', 'team.example.test'] },
  });
  const { dns, options } = zoneLab(world);
  const names = ['new.example.test', 'blocked.example.test', 'shop.team.example.test', 'a b'];
  const requests = names.map((domain) => ({ domain, target: TARGET }));
  const plans = [];
  for await (const planned of planRecords(requests, options)) plans.push(planned);
  expect(plans).toMatchObject([
    { ok: true, plan: { zone: 'example.test', expected: [{ label: 'new', value: TARGET }], remove: [] } },
    { ok: true, plan: { expected: [{ label: 'blocked' }], remove: [{ type: 'A', value: '192.0.2.99' }] } },
    { ok: true, plan: { zone: 'team.example.test', expected: [{ label: 'shop' }] } },
    { ok: false, report: { state: 'invalid' } },
  ]);
  expect(resolverQueries(dns, 'new.example.test')).toEqual([]);
});

test('uses the public suffix list if no server responds', async () => {
  const { options } = zoneLab(worldOf([], { faults: { [TLD]: 'silent', [RESOLVER]: 'silent' } }));
  for await (const planned of planRecords([{ domain: 'shop.example.co.uk', target: TARGET }], options)) {
    expect(planned).toMatchObject({
      ok: true,
      plan: { zone: 'example.co.uk', decidedBy: 'public-suffix', expected: [{ label: 'shop' }] },
    });
  }
  expect.assertions(1);
});

test('recommends no CAA record next to the CNAME that it recommends', async () => {
  const { options, settled } = zoneLab([`shop ALIAS ${TARGET}.`, 'shop CAA 0 issue other.test']);
  const request = { domain: 'shop.example.test', target: TARGET, issuer: 'letsencrypt.org' };
  const { value: planned } = await settled(planRecords([request], options).next());
  expect(planned).toMatchObject({
    plan: {
      expected: [{ type: 'CNAME' }],
      todo: [{ action: 'edit', replaces: [{ type: 'A' }, { type: 'AAAA' }, { type: 'CAA' }] }],
    },
  });
});

test('expects no record to a target without an address, in a report either', async () => {
  const { check, options, settled } = zoneLab(['shop A 192.0.2.99']);
  const request = { domain: 'shop.example.test', target: 'gone.platform.test' };
  const { value: planned } = await settled(planRecords([request], options).next());
  expect(planned).toMatchObject({ plan: { expected: [], todo: [] } });
  expect(await check(request)).toMatchObject({ state: 'action-required', expected: [], todo: [] });
});
