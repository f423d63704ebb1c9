import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { createMock } from 'petstore/mock';

const mock = createMock({ seed: 1, pets: 3 });
let address = '';
let stop;

before(async () => {
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  const cli = createRequire(import.meta.url).resolve('next/dist/bin/next');
  execFileSync(process.execPath, [cli, 'build'], { cwd: import.meta.dirname, stdio: 'pipe' });
  const service = await mock.listen();
  process.env.PETSTORE_API_KEY = mock.keys[0];
  process.env.PETSTORE_BASE_URL = service.baseUrl;
  const { default: next } = await import('next');
  const app = next({ dir: import.meta.dirname, quiet: true });
  await app.prepare();
  const server = createServer(app.getRequestHandler());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${server.address().port}`;
  stop = async () => {
    server.close();
    server.closeAllConnections();
    await app.close();
    await service.close();
  };
});
after(() => stop());

test('a route handler lists pets with ids as strings', async () => {
  const response = await fetch(`${address}/pets`);
  assert.equal(response.status, 200);
  const pets = await response.json();
  assert.equal(pets.length, 3);
  assert.equal(typeof pets[0].id, 'string');
});
