import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../src/mock/index.js';
import { startCli } from '../support/run-cli.js';

test('pets list --watch prints events while watching, and ends with 130 after ^C', async () => {
  const mock = createMock({ keys: ['sk-watch-secret'], plan: 'unlimited', pets: 3 });
  const server = await mock.listen();
  onTestFinished(() => server.close());
  const env = { PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: 'sk-watch-secret' };
  const watching = startCli('pets list --all --watch --interval 1s -o ndjson'.split(' '), { env });
  await watching.seen('stdout', /(?:.*"initial":true.*\n){3}/);
  mock.forKey().pets.put({ id: 4, name: 'Rex', categoryId: 1 });
  await watching.seen('stdout', /^\{"event":"added","pet":\{"id":4,"name":"Rex","categoryId":1\}\}\n/m);
  watching.child.kill('SIGINT');
  const stderr = expect.stringMatching(/^Watching 3 /);
  expect(await watching.finished).toMatchObject({ exitCode: 130, stderr });
});
