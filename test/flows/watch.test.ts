import { describe, test, type TestContext } from 'vitest';
import { createMock } from '../../src/mock/index.js';
import { startCli } from '../support/run-cli.js';

const KEY = 'sk-watch-secret';

async function setUp({ onTestFinished }: TestContext) {
  const mock = createMock({ keys: [KEY], plan: 'unlimited', pets: 3 });
  const server = await mock.listen();
  onTestFinished(() => server.close());
  const env = { PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: KEY };
  const create = (name: string) =>
    mock.fetch(
      new Request('http://mock.test/v1/pets', {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, categoryId: 1 }),
      }),
    );
  return { mock, create, watch: (line: string) => startCli(line.split(' '), { env }) };
}

// They mostly wait.
describe.concurrent('pets list --watch', () => {
  test('prints events while watching, and ends with 130 after ^C', async (context) => {
    const { expect } = context;
    const { create, watch } = await setUp(context);
    const watching = watch('pets list --all --watch --interval 1s -o ndjson');
    await watching.seen('stdout', /(?:.*"initial":true.*\n){3}/);
    await create('Rex');
    await watching.seen('stdout', /^\{"event":"added","pet":\{"id":4,"name":"Rex","categoryId":1\}\}\n/m);
    watching.child.kill('SIGINT');
    expect(await watching.finished).toMatchObject({
      exitCode: 130,
      stderr: expect.stringMatching(/^Watching 3 /),
    });
  });

  test('ends with 0 when the reader closes the pipe', async (context) => {
    const { expect } = context;
    const { create, watch } = await setUp(context);
    const watching = watch('pets list --all --watch --interval 1s -o ndjson -q');
    await watching.seen('stdout', /"initial"/);
    watching.child.stdout!.destroy();
    await create('Rex');
    await create('Mia');
    expect(await watching.finished).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('reports an outage once, and changes afterwards', async (context) => {
    const { expect } = context;
    const { mock, create, watch } = await setUp(context);
    const watching = watch('pets list --all --watch --interval 1s');
    await watching.seen('stdout', /added\t3\t/);
    mock.setFaults(['outage:route=GET /pets']);
    await watching.seen('stderr', /^warning: .*\. Retrying in 1 s\.\n/m);
    await create('Rex');
    mock.setFaults([]);
    await watching.seen('stdout', /^added\t4\tRex\t/m);
    watching.child.kill('SIGINT');
    const { stderr } = await watching.finished;
    expect(stderr.match(/^warning: /gm)).toHaveLength(1);
    expect(stderr).toMatch(/^The service responds again\.$/m);
  });
});
