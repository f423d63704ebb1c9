import { describe, expect, test } from 'vitest';
import { ENV, runFake, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const responses = [{ body: '{"id":9007199254740993,"tags":[1]}', headers: { 'x-note': 'a\u001b[2J' } }];
const send = (line: string, world: World = {}) => runFake(line, { responses, ...world });

test.each([
  [['POST', '/pets', '-F', 'a=@-', '-F', 'b=@-'], '"-F a=@-" and "-F b=@-" both read stdin'],
  [['POST', '/pets', '--input', '-', '-F', 'b=@-'], '"--input -" and "-F b=@-" both read stdin'],
  [['/pets', '-F', 'a=1', '-F', 'a=2'], 'Field "a" is given twice'],
  [['/pets', '-f', 'a=1', '-F', 'a=1'], 'Field "a" is given twice'],
  [['GET', '/pets?limit=5', '-F', 'limit=2'], 'Field "limit" is given twice'],
  [['/pets?dry=1', '--input', '-', '-f', 'dry=1'], 'Field "dry" is given twice'],
  [['connect', '/pets'], 'Invalid method "connect"'],
  [['-X', 'TRACE', '/pets'], 'Invalid method "TRACE"'],
  [[''], 'The path is empty'],
  [['GET', ''], 'The path is empty'],
])('api %j: exit code 2, nothing sent', async (words, message) => {
  const { exitCode, stderr, requests } = await runFake(['api', ...words], { responses, stdin: 'x' });
  expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 2, sent: 0 });
  expect(stderr).toContain(`error: ${message}\nhint: `);
});

describe('the request', () => {
  test.each([
    ['api /pets', 'GET', '/v1/pets', undefined],
    ['api pets', 'GET', '/v1/pets', undefined],
    ['api POST /pets', 'POST', '/v1/pets', undefined],
    ['api -X delete /pets/1', 'DELETE', '/v1/pets/1', undefined],
    ['api /pets -f a=1 -F b=2 -f c=3', 'POST', '/v1/pets', '{"a":"1","b":2,"c":"3"}'],
    ['api /pets?limit=5', 'GET', '/v1/pets?limit=5', undefined],
    ['api GET /pets -f status=sold -F limit=5', 'GET', '/v1/pets?status=sold&limit=5', undefined],
    [
      'api /pets -f name=Rex -F categoryId=9007199254740993',
      'POST',
      '/v1/pets',
      '{"name":"Rex","categoryId":9007199254740993}',
    ],
    ['api https://pets.test/v1/pets?limit=2', 'GET', '/v1/pets?limit=2', undefined],
    ['api /pets --input - -f dry=1', 'POST', '/v1/pets?dry=1', '{"id":9007199254740993}'],
  ])('%s', async (line, method, path, body) => {
    const { exitCode, requests } = await send(line, { stdin: '{"id": 9007199254740993}' });
    expect(exitCode).toBe(0);
    expect(requests.map((request) => [request.method, request.path, request.body])).toEqual([
      [method, path, body],
    ]);
  });

  test('-F reads files and stdin; -f does not', async () => {
    const currentDirectory = temporaryFolder({ 'note.txt': 'from a file' });
    const line = 'api /pets -F a=@note.txt -F b=@- -f c=@note.txt -f d=7 -F e=null -F f=true -f g=x=y -f h=';
    const { requests } = await send(line, { currentDirectory, stdin: 'from stdin' });
    expect(JSON.parse(requests[0]!.body!)).toEqual({
      ...{ a: 'from a file', b: 'from stdin', c: '@note.txt', d: '7', e: null, f: true, g: 'x=y', h: '' },
    });
  });

  test.each([
    ['-0.10e+2', true],
    ['0.30000000000000004', true],
    ['9007199254740993', true],
    ['"1e400"', true],
    ['1e400', false],
    ['1e-400', false],
    ['0.12345678901234567890', false],
    [`1${'0'.repeat(400)}`, false],
  ])('--input with the number %.22s is sent exactly: %s', async (number, isSent) => {
    const { exitCode, stderr, requests } = await send('api /pets --input -', { stdin: `[{"a":${number}}]` });
    expect({ exitCode, sent: requests.length }).toEqual(
      isSent ? { exitCode: 0, sent: 1 } : { exitCode: 2, sent: 0 },
    );
    expect(stderr).toContain(
      isSent ? '' : `error: stdin: number ${number.slice(0, 40)} can't be sent exactly\nhint: `,
    );
  });

  test('--input reads a file', async () => {
    const currentDirectory = temporaryFolder({ 'rex.json': '[1]' });
    const { requests } = await send('api /pets --input rex.json', { currentDirectory });
    expect(requests[0]!.body).toBe('[1]');
  });
});

test('a table has the headings of the tables of pets; data keeps the names of the service', async () => {
  const responses = [{ body: '[{"id":1,"categoryId":7}]' }];
  const run = async (flags: string): Promise<string> =>
    (await runFake(`api /pets ${flags}`, { responses, terminals: ['stdout'] })).stdout;
  expect(await run('-o table --color never')).toBe('ID  CATEGORY\n 1         7\n');
  expect(await run('-o csv')).toBe('id,categoryId\r\n1,7\r\n');
  expect(await run('-o tsv --fields category')).toBe('7\n');
});

describe('rejects with exit code 2 and sends nothing', () => {
  test.each([
    ['api', 'Missing required argument "method-or-path"'],
    ['api POST', 'Missing path after POST'],
    ['api GET /pets -X POST', 'Two methods given'],
    ['api G3T /pets', 'Invalid method "G3T"'],
    ['api https://evil.test/v1/pets', 'The URL is not below the base URL'],
    ['api https://pets.test/v10/pets', 'The URL is not below the base URL'],
    ['api https://ida@pets.test/v1/pets', 'The URL is not below the base URL'],
    ['api https://pets.test.evil.test/v1/pets', 'The URL is not below the base URL'],
    ['api //evil.test/pets', 'The path '],
    ['api /../admin', 'The path '],
    ['api /pets -F a', '-F "a" is not key=value'],
    ['api /pets -F =b', '-F "=b" is not key=value'],
    ['api /pets -F a[b]=1', '-F "a[b]=1": nested fields are not supported'],
    ['api /pets -F a=@', '-F "a=@" names no file'],
    ['api /pets --input -', 'stdin is empty'],
    ['api GET /pets --input -', "A GET request can't have a body", '{}'],
    ['api HEAD /pets --input -', "A HEAD request can't have a body", '{}'],
    ['api /pets --paginate', 'Unknown option "--paginate"'],
    ['api GET /pets --input - --curl', "A GET request can't have a body", '{}'],
  ])('%s', async (line, message, stdin = '') => {
    const { exitCode, stdout, stderr, requests } = await send(line, { stdin });
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe('the output', () => {
  test('is JSON with every digit: one line in a pipe, indented on a terminal', async () => {
    expect((await send('api /pets')).stdout).toBe('{"id":9007199254740993,"tags":[1]}\n');
    expect((await send('api /pets --color never', { terminals: ['stdout'] })).stdout).toMatch(
      /^\{\n {2}"id": 9007199254740993,\n/,
    );
  });

  test.each([
    ['a record', '{"name":"a\u009b2J\u202e\u007f"}'],
    ['a list of texts', '["a\u009b2J\u202e\u007f"]'],
    ['a text', '"a\u009b2J\u202e\u007f"'],
  ])('has no control characters, and is the same JSON: %s', async (_, body) => {
    for (const terminals of [[], ['stdout']] as const) {
      const { stdout } = await send('api /pets --color never', { responses: [{ body }], terminals });
      expect(stdout).not.toMatch(terminals.length === 0 ? /[\x7f-\x9f]/ : /[\x7f-\x9f\u202e]/);
      expect(JSON.parse(stdout)).toEqual(JSON.parse(body));
    }
  });

  test.each([
    ['api /pets', 'json', '[1,"a"]\n'],
    ['api /pets', 'yaml', '- 1\n- a\n'],
    ['api /pets -o json', 'yaml', '[1,"a"]\n'],
    ['api /pets -o tsv', 'yaml', '1\na\n'],
    ['api /pets --query [0]', 'csv', '1\r\n'],
  ])('a list without fields: %s with PETSTORE_OUTPUT=%s', async (line, format, stdout) => {
    const world = { responses: [{ body: '[1,"a"]' }], env: { ...ENV, PETSTORE_OUTPUT: format } };
    expect((await send(line, world)).stdout).toBe(stdout);
  });

  test('accepts any field of an empty list', async () => {
    const empty = { responses: [{ body: '[]' }] };
    expect(await send('api /pets --fields chip', empty)).toMatchObject({ exitCode: 0, stdout: '[]\n' });
  });

  test('uses the format of the profile', async () => {
    const profiles = { p: { output: 'yaml' } };
    const folder = temporaryFolder({ 'config.json': { profile: 'p', profiles } });
    const { stdout } = await send('api /pets', { env: { ...ENV, PETSTORE_CONFIG_DIR: folder } });
    expect(stdout).toBe('id: 9007199254740993\ntags:\n  - 1\n');
  });

  test('with -i starts with status and headers, harmless to a terminal', async () => {
    const { stdout } = await send('api /pets -i');
    expect(stdout).toBe(
      'HTTP 200\ncontent-type: application/json\nx-note: a^[[2J\n\n{"id":9007199254740993,"tags":[1]}\n',
    );
  });

  test('is empty if the response has no body', async () => {
    expect(await send('api DELETE /pets/1', { responses: [{ status: 204 }] })).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
  });

  test.each([
    ['api /pets --query tags[0]', '1\n'],
    ['api /pets -o yaml', 'id: 9007199254740993\ntags:\n  - 1\n'],
    ['api /pets --fields id', '{"id":9007199254740993}\n'],
  ])('%s', async (line, stdout) => {
    expect((await send(line)).stdout).toBe(stdout);
  });

  test('with -i prints status and headers of an error response to stderr', async () => {
    const headers = { 'x-note': 'a\u001b[2J', 'set-cookie': 'session=s3cret' };
    const world = { responses: [{ status: 401, headers, body: '{"code":"c","message":"no","status":401}' }] };
    const { exitCode, stdout, stderr } = await send('api /pets -i', world);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(
      /^HTTP 401\ncontent-type: application\/json\nx-note: a.*\nset-cookie: \[redacted\]\n\nerror: no/,
    );
    expect((await send('api /pets -i -v', world)).stderr).not.toContain('s3cret');
    expect(stderr).not.toContain('\u001b');
    const json = await send('api /pets -i -o json', world);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { status: 401 } });
  });

  test('is empty after an error response', async () => {
    const world = { responses: [{ status: 401, body: '{"code":"c","message":"no","status":401}' }] };
    expect(await send('api /pets', world)).toMatchObject({ exitCode: 3, stdout: '' });
  });
});

describe('a write without a response: exit code 10, sent once', () => {
  const lost = new Error('socket hang up');

  test('POST /pets looks the pet up', async () => {
    const list = { body: '[{"id":9007199254740993,"name":"rex","categoryId":7}]' };
    const { exitCode, stderr, requests } = await send('api pets -f name=Rex -F categoryId=7', {
      responses: [lost, list],
    });
    expect({ exitCode, sent: requests.map(({ method }) => method) }).toEqual({
      exitCode: 10,
      sent: ['POST', 'GET'],
    });
    expect(stderr).toContain(
      'hint: 1 of 1 listed pet matches by name and category: id 9007199254740993 (rex). ',
    );
  });

  test.each(['POST /orders -f name=Rex -F categoryId=7', 'POST /pets -f name=Rex', 'DELETE /pets/7'])(
    '%s warns of a second request',
    async (line) => {
      const { exitCode, stderr, requests } = await send(`api ${line}`, { responses: [lost] });
      expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 10, sent: 1 });
      expect(stderr).toContain(
        'hint: Do not send it again before you know whether it was carried out: it may then be done twice.\n',
      );
    },
  );

  test('a read fails as before', async () => {
    expect(await send('api HEAD /pets --no-retry', { responses: [lost] })).toMatchObject({ exitCode: 7 });
  });
});

test.each([
  [
    'api /pets -f limit=2',
    'The fields made this a POST. To send them as the query, write GET before the path.',
  ],
  ['api POST /pets -f limit=2', 'Correct the values.'],
])('%s: the hint of a 400', async (line, hint) => {
  const { exitCode, stderr } = await runFake(line, { responses: [{ status: 400, body: '{}' }] });
  expect(exitCode).toBe(5);
  expect(stderr).toContain(`hint: ${hint}`);
});
