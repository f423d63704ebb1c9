import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRecorder, showRequests } from '../../src/cli/session/recorder.js';
import { listening } from '../support/loopback-port.js';

/** Whether a program is installed. */
const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
const hasCurl = has('curl', '--version');
const shells = ['sh', 'bash', 'dash', ...(has('zsh', '-c', ':') ? ['zsh'] : [])].filter((shell) =>
  has(shell, '-c', ':'),
);

interface Sent {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  empty: string | undefined;
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
        body,
      });
      response.end('[]');
    });
  });
  return { origin: `http://127.0.0.1:${String(await listening(server))}`, sent };
}

/** Runs the printed command in a shell. */
async function paste(shell: string, line: string): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', PETSTORE_API_KEY: 'k$y `id` "x"', HOME: '/nonexistent' };
  await promisify(execFile)(shell, ['-c', line], { env });
}

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

describe.skipIf(!hasCurl).each(shells)('the curl command pasted into %s', (shell) => {
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
      { numRuns: 15 },
    );
  });
});
