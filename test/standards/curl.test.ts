import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRecorder, showRequests } from '../../src/cli/session/recorder.js';
import { findProgram, type Program } from '../integration/programs.js';
import { listening } from '../support/loopback-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { runs } from '../support/random-runs.js';

const SHELLS = ['sh', 'bash', 'dash', 'zsh'];
const CURL = findProgram('curl');

interface Sent {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  empty: string | undefined;
  length: string | undefined;
  expect: string | undefined;
  body: string;
}

/** Starts a server that records requests. */
async function startRecording(): Promise<{ origin: string; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const body = Buffer.concat(chunks).toString();
      sent.push({
        method,
        url,
        authorization: headers.authorization,
        empty: headers['x-empty'] as string | undefined,
        length: headers['content-length'],
        expect: headers.expect,
        body,
      });
      response.end('[]');
    });
  });
  return { origin: `http://127.0.0.1:${String(await listening(server))}`, sent };
}

/** Runs the printed command in a shell, which reads it as a file: an argument has at most 128 KiB. */
async function paste(shell: Program, line: string, home = '/nonexistent'): Promise<void> {
  const script = join(temporaryFolder({ 'script.sh': line }), 'script.sh');
  const env = {
    PATH: [dirname(CURL!.path), process.env.PATH ?? ''].join(delimiter),
    LD_LIBRARY_PATH: [...shell.libraryFolders, ...CURL!.libraryFolders].join(delimiter),
    PETSTORE_API_KEY: 'k$y `id` "x"',
    HOME: home,
  };
  await promisify(execFile)(shell.path, [script], { env });
}

/** Prints a request whose header, query and body have the key. */
async function lineWithKey(origin: string): Promise<string> {
  const key = 'sk-secret-key';
  const recorder = createRecorder();
  const request = { method: 'POST', origin, path: `/v1/pets?a=$HOME&key=${key}`, body: `{"a":"\\"${key}"}` };
  const headers = { 'x-empty': `${key} $(id)` };
  await recorder.transport.send({ ...request, headers, bodyMaxBytes: 1 }).response.catch(() => undefined);
  const keyMask = { split: (text: string) => text.split(key) };
  return showRequests(recorder.requests, { curl: true, json: false, indent: false, keyMask });
}

test('the variable of the key is in double quotes', async () => {
  const printed = await lineWithKey('http://127.0.0.1:1');
  expect(printed).not.toContain('sk-secret-key');
  expect(printed).toContain(`'http://127.0.0.1:1/v1/pets?a=$HOME&key='"$PETSTORE_API_KEY"`);
  expect(printed).toContain(`'X-Empty: '"$PETSTORE_API_KEY"' $(id)'`);
});

async function line(request: {
  method: string;
  origin: string;
  path: string;
  body?: string;
}): Promise<string> {
  const recorder = createRecorder();
  const headers = { authorization: 'Bearer sk-secret', 'content-type': 'application/json', 'x-empty': '' };
  await recorder.transport.send({ ...request, headers, bodyMaxBytes: 1 }).response.catch(() => undefined);
  return showRequests(recorder.requests, { curl: true, json: false, indent: false });
}

const QUERIES = [
  'tag={a,b}',
  'tag=[1-3]',
  'a=1&b=2',
  "a='x'",
  'a=$HOME',
  'a=`id`',
  'a=!x',
  'a=%0a;id',
  'a=*?',
  'a=~',
  'a=\\x',
];
const BODIES = [
  '@/etc/passwd',
  "it's",
  '$HOME `id` $(id)',
  '!!',
  '"\\n"',
  '{"name":"Ида \u{1f436}"}',
  '-x',
  '',
  '\\',
  '%s',
];

describe.each(SHELLS)('the curl command pasted into %s', (name) => {
  const shell = findProgram(name)!;
  const missing = [
    ...(CURL === undefined ? ['curl'] : []),
    ...(findProgram(name) === undefined ? [name] : []),
  ];
  if (missing.length > 0) {
    test(`sends the request (skipped: not installed: ${missing.join(', ')}; .ci/run fetches them, PETSTORE_TEST_SHELLS names their folder)`, (context) => {
      context.skip();
    });
    return;
  }

  test('sends the key in a header and in the body', async () => {
    const { origin, sent } = await startRecording();
    await paste(shell, (await lineWithKey(origin)).replace(/&key=[^ ]*/, "'"));
    expect(sent).toMatchObject([{ empty: 'k$y `id` "x" $(id)', body: '{"a":"\\"k$y `id` "x""}' }]);
  });

  test('is not changed by ~/.curlrc', async () => {
    const { origin, sent } = await startRecording();
    const home = temporaryFolder({
      '.curlrc': 'header = "X-Empty: changed"\nuser-agent = "changed"\nrequest = PUT\n',
    });
    await paste(shell, await line({ method: 'GET', origin, path: '/v1/pets' }), home);
    expect(sent).toMatchObject([{ method: 'GET', empty: '' }]);
  });

  test.each([
    ['POST', '0'],
    ['PATCH', '0'],
    ['DELETE', undefined],
    ['HEAD', undefined],
    ['GET', undefined],
  ])('sends %s without a body with the length %s', async (method, length) => {
    const { origin, sent } = await startRecording();
    await paste(shell, await line({ method, origin, path: '/v1/pets' }));
    expect(sent).toMatchObject([{ method, length, body: '' }]);
  });

  test.each([99_990, 130_000, 2 ** 20 - 11, 2 ** 20, 3_000_000])(
    'sends a name of %d characters at once',
    async (count) => {
      const { origin, sent } = await startRecording();
      const body = JSON.stringify({ name: "%s'".padEnd(count, '\\n') });
      await paste(shell, await line({ method: 'POST', origin, path: '/v1/pets', body }));
      expect(sent.map(({ body, expect }) => ({ body: body.length, expect }))).toEqual([
        { body: body.length, expect: undefined },
      ]);
      expect(sent[0]?.body === body).toBe(true);
    },
  );

  test.each(QUERIES)('sends the query %s once', async (query) => {
    const { origin, sent } = await startRecording();
    await paste(shell, await line({ method: 'GET', origin, path: `/v1/pets?${query}` }));
    expect(sent).toMatchObject([
      { method: 'GET', url: `/v1/pets?${query}`, authorization: 'Bearer k$y `id` "x"', empty: '', body: '' },
    ]);
  });

  test.each(BODIES)('sends the body %j once', async (name) => {
    const { origin, sent } = await startRecording();
    const body = JSON.stringify({ name });
    await paste(shell, await line({ method: 'POST', origin, path: '/v1/pets', body }));
    expect(sent).toMatchObject([{ method: 'POST', url: '/v1/pets' }]);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ name });
  });

  test('sends random bodies', async () => {
    const { origin, sent } = await startRecording();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 30 }), async (name) => {
        sent.length = 0;
        await paste(
          shell,
          await line({ method: 'POST', origin, path: '/v1/pets?x={a,b}', body: JSON.stringify({ name }) }),
        );
        expect(sent.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ name }]);
      }),
      { numRuns: runs(15) },
    );
  });
});
