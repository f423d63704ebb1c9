import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { serveControl } from './serve-control.js';

const { control } = serveControl();

test('lists the DNS names, and where the DNS is served', async () => {
  const { json } = await control('GET', '/dns');
  expect(json).toMatchObject({
    names: expect.arrayContaining([
      { name: 'missing.example.test', shows: 'record.missing', because: 'no record' },
    ]),
  });
  expect(json).not.toHaveProperty('endpoint');
  const own = createMock();
  const serving = await own.listen({ dnsPort: 0 });
  const response = await fetch(`${serving.url}/__mock/dns`);
  expect(await response.json()).toMatchObject({
    endpoint: { host: '127.0.0.1', port: serving.dns?.port },
    zones: expect.arrayContaining(['example.test']),
  });
  await serving.close();
});
