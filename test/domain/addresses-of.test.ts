import { expect, test } from 'vitest';
import { addressesOf } from '../../src/domain/run/checks.js';
import { TARGET, zoneLab } from './world.js';

const { dns, options } = zoneLab([`shop CNAME ${TARGET}.`, 'xn--mller-kva A 192.0.2.97']);

test('finds addresses without a target', async () => {
  expect((await addressesOf('Shop.Example.test.', options)).addresses).toEqual([
    '192.0.2.80',
    '2001:db8::80',
  ]);
  expect((await addressesOf('müller.example.test', options)).addresses).toEqual(['192.0.2.97']);
});

test('rejects an invalid name, with a suggestion', async () => {
  dns.queries.length = 0;
  await expect(addressesOf('https://shop.example.test/', options)).rejects.toMatchObject({
    type: 'invalid-input',
    hint: 'Did you mean "shop.example.test"?',
  });
  expect(dns.queries).toEqual([]);
});

test('rejects with an AbortedError if the signal is aborted', async () => {
  const controller = new AbortController();
  const found = addressesOf('shop.example.test', { ...options, signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(found).rejects.toMatchObject({ type: 'aborted', cause: new Error('enough') });
});
