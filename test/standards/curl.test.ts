import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPetStoreOver, nodeHttpTransport } from '../../src/client/internal.js';
import { createRecorder, showRequests } from '../../src/cli/session/recorder.js';
import { findProgram, type Program } from '../integration/programs.js';
import { listening } from '../support/loopback-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { IS_FULL, runs, SEED } from '../support/random-runs.js';
import { anyCharacter } from '../support/any-character.js';

const SHELLS = ['bash', 'dash', 'zsh', 'fish'];
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

/** Runs lines in a shell, which reads them as a file: an argument has at most 128 KiB. @returns what they print. */
async function paste(shell: Program, lines: readonly string[]): Promise<string> {
  const curlrc = 'header = "X-Empty: changed"\nuser-agent = "changed"\nrequest = PUT\n';
  const home = temporaryFolder({ 'script.sh': lines.join(''), '.curlrc': curlrc });
  const env = {
    PATH: [...(CURL === undefined ? [] : [dirname(CURL.path)]), process.env.PATH ?? ''].join(delimiter),
    LD_LIBRARY_PATH: [...shell.libraryFolders, ...(CURL?.libraryFolders ?? [])].join(delimiter),
    PETSTORE_API_KEY: 'k$y `id` "x"',
    HOME: home,
  };
  const options = { env, maxBuffer: 2 ** 26 };
  return (await promisify(execFile)(shell.path, [join(home, 'script.sh')], options)).stdout;
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
  headers?: Record<string, string>;
}): Promise<string> {
  const recorder = createRecorder();
  const always = { authorization: 'Bearer sk-secret', 'content-type': 'application/json', 'x-empty': '' };
  const headers = { ...always, ...request.headers };
  await recorder.transport.send({ ...request, headers, bodyMaxBytes: 1 }).response.catch(() => undefined);
  return showRequests(recorder.requests, { curl: true, json: false, indent: false });
}

const QUERIES = [
  ...['tag={a,b}', 'tag=[1-3]', 'a=1&b=2', "a='x'", 'a=$HOME', 'a=`id`', 'a=!x', 'a=%0a;id', 'a=*?', 'a=~'],
  ...['a=\\x', 'a=\\\\x', "a='\\'", 'a=\\'],
];
/** Values of a header. `!` and backslashes mean something else in each shell. */
const HEADERS = [
  'a\\b',
  'a\\\\b',
  "it's a\\'b",
  'ends with \\',
  "\\'",
  '\\\\\\',
  'hey!x',
  '=ls',
  '%self',
  '~',
  '(id)',
];
/** Methods with the length that curl must send. */
const WITHOUT_BODY = [['POST', '0'], ['PATCH', '0'], ['DELETE'], ['HEAD'], ['GET']] as const;
const BODIES = [
  ...['@/etc/passwd', "it's", '$HOME `id` $(id)', '!!', '"\\n"', '{"name":"Ида \u{1f436}"}', '-x', '', '\\'],
  ...[
    '%s',
    'a\\nb',
    'C:\\\\',
    "it's a\\'b",
    "\\'",
    '\\\\"',
    'hey!x',
    '\\!',
    '=ls',
    '(id) [1] {a,b} ~ ^ ? *',
    '\\u0041',
  ],
];

/** Around the limits of an argument and of curl's `Expect`. Shells take long to read a long text. */
const SIZES = [99_990, 130_000, ...(IS_FULL ? [2 ** 20 - 11, 2 ** 20, 3_000_000] : [])];

/** A printed command, and the request that it has to send. */
interface Command {
  line: string;
  expected: Partial<Omit<Sent, 'body'>>;
  /** The JSON of the body; `undefined` if there is none. */
  body?: unknown;
}

async function commandsFor(origin: string): Promise<Command[]> {
  const authorization = 'Bearer k$y `id` "x"';
  const get = async (path: string): Promise<Command> => ({
    line: await line({ method: 'GET', origin, path }),
    expected: { method: 'GET', url: path, authorization, empty: '' },
  });
  const post = async (name: string): Promise<Command> => ({
    line: await line({ method: 'POST', origin, path: '/v1/pets?x={a,b}', body: JSON.stringify({ name }) }),
    // Not sent in two steps.
    expected: { method: 'POST', url: '/v1/pets?x={a,b}', authorization, empty: '', expect: undefined },
    body: { name },
  });
  const withHeader = async (value: string): Promise<Command> => ({
    line: await line({ method: 'GET', origin, path: '/v1/pets', headers: { 'x-empty': value } }),
    expected: { method: 'GET', url: '/v1/pets', authorization, empty: value },
  });
  const withoutBody = async ([method, length]: readonly [string, string?]): Promise<Command> => ({
    line: await line({ method, origin, path: '/v1/pets' }),
    expected: { method, length, empty: '' },
  });
  const random = fc.sample(fc.string({ unit: anyCharacter, maxLength: 30 }), {
    seed: SEED,
    numRuns: runs(15),
  });
  return [
    {
      line: (await lineWithKey(origin)).replace(/&key=[^ ]*/, "'"),
      expected: { method: 'POST', empty: 'k$y `id` "x" $(id)' },
      body: '{"a":"\\"k$y `id` "x""}',
    },
    {
      line: await line({ method: 'POST', origin, path: '/v1/pets', body: '{\r\n\t"a": 1.0 }' }),
      expected: { method: 'POST' },
      body: '{\n\t"a": 1.0 }',
    },
    ...(await Promise.all(QUERIES.map((query) => get(`/v1/pets?${query}`)))),
    ...(await Promise.all(HEADERS.map(withHeader))),
    ...(await Promise.all(WITHOUT_BODY.map(withoutBody))),
    ...(await Promise.all([...BODIES, ...random].map(post))),
    ...(await Promise.all(SIZES.map((size) => post("%s'".padEnd(size, '\\n'))))),
  ];
}

test.skipIf(CURL === undefined)(
  'curl sends each request once, also with a ~/.curlrc (skipped without curl)',
  { timeout: 120_000 },
  async () => {
    const { origin, sent } = await startRecording();
    const commands = await commandsFor(origin);
    await paste(
      findProgram('sh')!,
      commands.map((command) => command.line),
    );
    expect(sent).toHaveLength(commands.length);
    for (const [index, { line, expected, body }] of commands.entries()) {
      const hint = `seed ${String(SEED)}: ${line.slice(0, 400)}`;
      const { body: text, ...request } = sent[index]!;
      expect(request, hint).toMatchObject(expected);
      if (body === undefined) expect(text, hint).toBe('');
      else expect(typeof body === 'string' ? text : JSON.parse(text), hint).toEqual(body);
    }
  },
);

test.skipIf(CURL === undefined)('curl sends the headers of the command (skipped without curl)', async () => {
  const received: string[][] = [];
  const server = createServer((request, response) => {
    request.resume();
    const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
    // HTTP/1.1 keeps a connection alive without a header too (RFC 9112, section 9.3). The keys differ here.
    const compared = lines.filter((each) => !/^(?:connection: keep-alive$|authorization:)/.test(each));
    received.push([request.url!, ...compared.sort()]);
    response.setHeader('content-encoding', 'gzip').end(gzipSync('[]\n'));
  });
  const baseUrl = `http://127.0.0.1:${String(await listening(server))}/v1`;
  for (const body of [undefined, { name: 'Rex' }]) {
    const method = body === undefined ? 'GET' : 'POST';
    const recorder = createRecorder();
    for (const transport of [recorder.transport, nodeHttpTransport()]) {
      const store = createPetStoreOver(transport, { baseUrl, apiKey: 'k', retry: { attemptsMax: 1 } });
      await store
        .request(method, '/x?y=1', { body }, { headers: { 'x-a': '1', 'x-b': '' } })
        .catch(() => undefined);
      await store.close();
    }
    const lines = showRequests(recorder.requests, { curl: true, json: false, indent: false });
    expect(await paste(findProgram('sh')!, [lines])).toBe('[]\n');
  }
  expect(received).toHaveLength(4);
  expect(received[1]).toEqual(received[0]);
  expect(received[3]).toEqual(received[2]);
  expect(received[2]).toContain('accept-encoding: gzip, deflate');
});

/** Instead of curl: prints its arguments and its stdin. */
const PRINT = `curl() { for word; do printf '%s\\0' "$word"; done; [ "$word" = @- ] && cat; printf '\\n\\0'; }\n`;
const PRINT_IN_FISH = `function curl; for word in $argv; printf '%s\\0' $word; end; test "$argv[-1]" = @-; and cat; printf '\\n\\0'; end\n`;

let reference: Promise<{ lines: string[]; words: string[] }> | undefined;
async function readBySh(): Promise<{ lines: string[]; words: string[] }> {
  const lines = (await commandsFor('http://127.0.0.1:1')).map((command) => command.line);
  return { lines, words: (await paste(findProgram('sh')!, [PRINT, ...lines])).split('\n\0') };
}

describe.each(SHELLS)('%s', (name) => {
  const shell = findProgram(name);
  const reason =
    shell === undefined
      ? ` (skipped: ${name} is not installed; .ci/run fetches it, PETSTORE_TEST_SHELLS names its folder)`
      : '';
  test.skipIf(shell === undefined)(`passes the same arguments to curl as sh${reason}`, async () => {
    const { lines, words: expected } = await (reference ??= readBySh());
    const found = (await paste(shell!, [name === 'fish' ? PRINT_IN_FISH : PRINT, ...lines])).split('\n\0');
    expect(expected).toHaveLength(lines.length + 1);
    const wrong = lines.filter((_, index) => found[index] !== expected[index]);
    expect(
      wrong.map((line) => line.slice(0, 400)),
      `seed ${String(SEED)}`,
    ).toEqual([]);
  });
});
