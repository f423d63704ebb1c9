import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { runFake, type World } from '../../../support/fake-context.js';
import { parseLine } from '../../../support/parse-line.js';
import { runMock } from './running-mock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('flags', () => {
  test('the world of the mock', async () => {
    expect(await parseLine('mock serve --host ::1 --plan pro --seed 7 --latency 20ms')).toMatchObject({
      options: { host: '::1', port: 4010, plan: 'pro', seed: 7, latencyMs: 20 },
    });
  });
});

/** Runs a mock, for requests with its first key. */
async function serve(flags: readonly string[] = [], world: World = {}) {
  const mock = await runMock(flags, world);
  const { baseUrl, keys } = mock.ready;
  const headers = { authorization: `Bearer ${keys[0]!}`, 'content-type': 'application/json' };
  return {
    ...mock,
    request: (path: string, init: RequestInit = {}) => fetch(baseUrl + path, { ...init, headers }),
  };
}

/** `fetch` can't set the header Host. */
function get(
  url: string,
  headers: Record<string, string>,
): Promise<[status: number | undefined, body: string]> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      void text(response).then((body) => resolve([response.statusCode, body]));
    })
      .on('error', reject)
      .end();
  });
}

describe('serving', () => {
  test('prints the export line, logs each request, and exits with 0', async () => {
    const mock = await serve(['--key', "it's", '--key', 'other']);
    expect(mock.ready).toMatchObject({
      pid: 4242,
      keys: ["it's", 'other'],
      baseUrl: `${mock.ready.url}/v1`,
    });
    expect((await mock.request('/pets?limit=1')).status).toBe(200);
    expect(await mock.stop()).toBe(0);
    const key = `'it'\\''s'`;
    expect(mock.stdout()).toBe(
      `export PETSTORE_BASE_URL=${mock.ready.baseUrl} PETSTORE_API_KEY=${key}\n# also valid: PETSTORE_API_KEY=other\n`,
    );
    expect(mock.stderr()).toMatch(
      /^Mock service at \S+, plan free\. Press \^C to stop\.\nWatch and control it at \S+\/__mock\/\n\d\d:\d\d:\d\d GET \/pets\?limit=1 200 \d+ ms\nStopped after \d+ s and 1 request \(200: 1\)\.\n$/,
    );
    expect(() => readFileSync(join(mock.folder, 'ready.json'))).toThrow('ENOENT');
    await expect(mock.request('/pets')).rejects.toThrow('fetch failed');
  });

  test('serves the page, unless --no-ui turns it off', async () => {
    const mock = await serve();
    const page = await fetch(new URL('/__mock/', mock.ready.baseUrl));
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    await mock.stop();
    const quiet = await serve(['--no-ui']);
    expect((await fetch(new URL('/__mock/', quiet.ready.baseUrl))).status).toBe(404);
    expect((await fetch(new URL('/__mock/health', quiet.ready.baseUrl))).status).toBe(200);
    await quiet.stop();
    expect(quiet.stderr()).not.toContain('Watch and control');
  });

  test('--control-host opens the control API to another host, and --journal sets its length', async () => {
    const mock = await serve(['--host', '0.0.0.0', '--control-host', 'mock', '--journal', '1']);
    await mock.request('/pets');
    await mock.request('/pets/1');
    const [status, body] = await get(`${mock.ready.url}/__mock/journal`, { host: 'mock:4010' });
    expect([status, JSON.parse(body)]).toMatchObject([200, { entries: [{ path: '/pets/1' }], dropped: 1 }]);
    await mock.stop();
    expect(mock.stderr()).toContain(`Watch and control it at http://mock:${String(mock.ready.port)}/__mock/`);
    expect(mock.stderr()).toContain('With --control-host, they can also control it.');
  });

  test('on a terminal says where to run the line, and colours the log', async () => {
    const mock = await serve(['--fault', 'status:status=503,times=1'], {
      env: { TERM: 'xterm' },
      terminals: ['stdout', 'stderr'],
    });
    await mock.request('/pets?name=%1b');
    await mock.request('/pets/0');
    await mock.stop();
    expect(mock.stderr()).toMatch(
      /^Mock service at .*\nWatch and control it at .*\nIn another terminal, run:\n/,
    );
    expect(mock.stderr().replace(/\d+ ms/g, '0 ms')).toContain(
      '\u001b[22m GET /pets?name=%1b \u001b[31m503\u001b[39m \u001b[2m0 ms (status 503)\u001b[22m\n',
    );
    expect(mock.stderr()).toContain('\u001b[33m404\u001b[39m');
    // The terminal itself shows ^C.
    expect(mock.stderr()).toMatch(/ms[^\n]*\n\nStopped after \d+ s and 2 requests \(404: 1, 503: 1\)\.\n$/);
  });

  test.each(['slow:ms=60000', 'throttle:bytesPerSecond=1', 'slow:ms=60000 truncate'])(
    'logs a request that its stop aborts before the count: %s',
    async (faults) => {
      const mock = await serve(faults.split(' ').flatMap((fault) => ['--fault', fault]));
      const body = mock.request('/pets').then((response) => response.text());
      const failed = expect(body).rejects.toThrow();
      await fetch(`${mock.ready.url}/__mock/journal?count=1&timeout=5s`);
      await Promise.all([failed, mock.stop()]);
      expect(mock.stderr()).toMatch(
        /GET \/pets aborted .*\nStopped after \d+ s and 1 request \(aborted: 1\)\.\n$/,
      );
    },
  );

  test('does not log requests with -q', async () => {
    const mock = await serve(['-q']);
    await mock.request('/pets');
    await mock.stop();
    expect(mock.stderr()).toBe('');
  });

  test('--data keeps new pets across a restart, with all digits of an int64', async () => {
    const first = await serve(['--data', 'd.json', '--pets', '1']);
    const body = '{"name":"Rex","categoryId":9007199254740993}';
    expect((await first.request('/pets', { method: 'POST', body })).status).toBe(201);
    await first.stop();
    const second = await serve(['--data', 'd.json'], { currentDirectory: first.folder });
    const text = await (await second.request('/pets')).text();
    await second.stop();
    expect(text).toContain('"categoryId":9007199254740993');
    expect(JSON.parse(text)).toHaveLength(2);
  });

  test('--replay responds from a recording, for any key', async () => {
    const exchange = {
      request: { method: 'GET', url: 'https://pets.example/v1/pets?limit=1' },
      response: { status: 200, headers: [], content: { text: '[{"id":9007199254740993}]' } },
    };
    const socket = { ...exchange, request: { ...exchange.request, url: 'wss://pets.example/hot' } };
    const currentDirectory = temporaryFolder({ 'r.har': { log: { entries: [exchange, socket] } } });
    const mock = await serve(['--replay', 'r.har'], { currentDirectory });
    expect(mock.stderr()).toMatch(
      /^1 of 2 entries in r\.har can't be replayed \(not HTTP: 1\)\. Requests for them get 501\.\n/m,
    );
    expect(await (await mock.request('/pets?limit=1')).text()).toBe('[{"id":9007199254740993}]');
    expect((await mock.request('/pets?limit=2')).status).toBe(501);
    await mock.stop();
  });

  test('exits with 2 if the port is in use', async () => {
    const mock = await serve();
    const { exitCode, stdout, stderr } = await runFake(['mock', '--port', String(mock.ready.port)]);
    await mock.stop();
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(
      `error: Port ${String(mock.ready.port)} is in use\nhint: Pass another port with --port, or --port 0 for any free port.\n`,
    );
  });

  test('warns if other machines can reach the mock', async () => {
    const mock = await serve(['--host', '0.0.0.0']);
    await mock.stop();
    expect(mock.stderr()).toMatch(/\nwarning: With --host 0\.0\.0\.0, other machines/);
  });
});
