import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMock } from '../src/mock/index.js';
import { openBrowser, whyNoBrowser } from './mock/ui/browser.js';
import { ROOT } from './support/source-tree.js';

/** A page that tests itself against a mock in its service worker. */
const PROGRAM = `
import { setupWorker } from 'msw/browser';
import { createMock } from 'petstore/mock';
import { handlers } from 'petstore/mock/msw';
const headers = { authorization: 'Bearer mock-key', 'content-type': 'application/json' };
globalThis.run = async () => {
  const mock = createMock({ pets: 3 });
  const worker = setupWorker(...handlers(mock, { baseUrl: 'https://pets.example/v1' }));
  await worker.start({ quiet: true });
  const body = '{"name":"Möhre","categoryId":9007199254740993}';
  const created = await fetch('https://pets.example/v1/pets', { method: 'POST', headers, body });
  mock.setFaults(['rate-limit:seconds=30']);
  const limited = await fetch('https://pets.example/v1/pets', { headers });
  mock.advance('until-reset');
  mock.setFaults(['cut:bytes=5', 'throttle']);
  const cut = await mock.fetch('https://mock.test/v1/pets', { headers }).then((response) => response.text()).catch(String);
  const key = mock.tenant();
  mock.restore(mock.snapshot());
  mock.verify.respectedRetryAfter();
  return {
    created: await created.text(),
    limited: [limited.status, limited.headers.get('retry-after')],
    cut,
    pets: mock.state().tenants.map(({ pets, fingerprint }) => [pets, fingerprint]),
    journal: mock.journal.length,
    listen: await mock.listen().catch(String),
    key,
  };
};
`;

/** A front end on another port: one file with fetch. */
const FRONT_END = `<!doctype html><title>Pets</title><script>
async function load(baseUrl, key) {
  const response = await fetch(baseUrl + '/pets?limit=1', { headers: { Authorization: 'Bearer ' + key } });
  const header = (name) => response.headers.get(name);
  const shown = [header('X-RateLimit-Remaining'), header('Retry-After')];
  return { status: response.status, shown, body: await response.json() };
}
async function create(baseUrl, key) {
  const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' };
  return (await fetch(baseUrl + '/pets', { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })).status;
}
</script>`;

async function bundle(): Promise<string> {
  const { outputFiles, metafile, warnings } = await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    alias: {
      'petstore/mock/msw': join(ROOT, 'dist/mock/msw.js'),
      'petstore/mock': join(ROOT, 'dist/mock/index.js'),
    },
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  expect(imports.filter(({ external, path }) => external === true || path.startsWith('node:'))).toEqual([]);
  return outputFiles[0]!.text;
}

test('a bundle for a browser has no server, no DNS and nothing of Node.js', async () => {
  const own = (await bundle()).split('\n').filter((line) => !line.trim().startsWith('//'));
  expect(own.join('\n')).not.toMatch(/dns-packet|createServer\(|dgram|Buffer\.from|[^?]\.getBuiltinModule/);
});

const why = whyNoBrowser();

describe.skipIf(why !== undefined)(`in Chromium${why === undefined ? '' : ` (${why})`}`, () => {
  let browser: Browser;
  let script = '';

  beforeAll(async () => {
    [browser, script] = await Promise.all([openBrowser(), bundle()]);
  }, 60_000);
  afterAll(() => browser.close());

  /** Opens a page of a server of its own. */
  async function open(html: string) {
    const worker = readFileSync(join(ROOT, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8');
    const server = createServer(({ url }, response) => {
      const isScript = url?.endsWith('.js') === true;
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(url === '/program.js' ? script : isScript ? worker : html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const page = await browser.newPage();
    onTestFinished(async () => {
      await page.close();
      server.close();
    });
    const { port } = server.address() as { port: number };
    await page.goto(`http://127.0.0.1:${String(port)}/`);
    return page;
  }

  test('the mock and its handlers for msw run in a page', async () => {
    const page = await open(
      '<!doctype html><title>Test</title><script type="module" src="/program.js"></script>',
    );
    await page.waitForFunction('globalThis.run !== undefined');
    expect(await page.evaluate('run()')).toEqual({
      created: '{"id":4,"name":"Möhre","categoryId":9007199254740993}',
      limited: [429, '30'],
      cut: 'TypeError: Failed to fetch',
      pets: [
        [4, ''],
        [3, ''],
      ],
      journal: 3,
      listen: 'TypeError: listen() of the mock needs Node.js',
      key: 'mock-key-2',
    });
  });

  test('a page on another port uses the service, and can not use the control API', async () => {
    const mock = createMock();
    const server = await mock.listen();
    onTestFinished(() => server.close());
    const page = await open(FRONT_END);
    const load = (key: string) => page.evaluate(`load('${server.baseUrl}', '${key}')`);
    expect(await load('mock-key')).toMatchObject({ status: 200, shown: ['59', null] });
    expect(await page.evaluate(`create('${server.baseUrl}', 'mock-key')`)).toBe(201);
    expect(await load('wrong')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    mock.setFaults(['rate-limit:seconds=7']);
    expect(await load('mock-key')).toMatchObject({ status: 429, shown: ['0', '7'] });
    const control = page.evaluate(`fetch('${server.url}/__mock/reset', { method: 'POST' })`);
    await expect(control).rejects.toThrow('Failed to fetch');
    expect(mock.journal.filter(({ method }) => method === 'OPTIONS').length).toBeGreaterThan(0);
  });
});
