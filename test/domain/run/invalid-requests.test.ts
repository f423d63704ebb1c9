import { expect, test } from 'vitest';
import { addressesOf, checkDomains, planRecords } from '../../../src/domain/run/checks.js';
import { watchDomains } from '../../../src/domain/run/watch-domains.js';
import { createDnsClient } from '../../../src/domain/dns/dns-client.js';
import { InvalidInputError } from '../../../src/errors.js';

const options = { resolvers: ['127.0.0.1'] };

test.each([undefined, null, 5, 'shop.example.com', {}])(
  'rejects %j instead of requests or a name',
  async (value) => {
    for (const start of [checkDomains, planRecords, watchDomains]) {
      const error: unknown = await start(value as never, options)
        .next()
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error).toMatchObject({ message: 'The requests must be a list', field: 'requests' });
    }
  },
);

test.each([undefined, null, 5, {}])('rejects the name %j', async (value) => {
  const found = addressesOf(value as never, options);
  await expect(found).rejects.toBeInstanceOf(InvalidInputError);
  await expect(found).rejects.toMatchObject({ message: 'name must be a string', field: 'name' });
});

test('watchDomains needs an array', async () => {
  const requests = new Set([{ domain: 'shop.example.com', target: 'cname.example.net' }]);
  await expect(watchDomains(requests as never, options).next()).rejects.toThrow(
    'The requests must be a list',
  );
});

test.each([5, null, 'x', { clock: {} }, { timeoutMs: 'x' }, { timeout: 5 }])(
  'createDnsClient rejects the options %j',
  (value) => {
    expect(() => createDnsClient(value as never)).toThrow(InvalidInputError);
  },
);
