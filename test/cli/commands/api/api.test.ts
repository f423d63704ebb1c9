import { expect, test } from 'vitest';
import { ENV, runFake } from '../../../support/fake-context.js';

test.each([
  ['a record', '{"name":"a\u009b2J\u202e\u007f"}'],
  ['a list of texts', '["a\u009b2J\u202e\u007f"]'],
  ['a text', '"a\u009b2J\u202e\u007f"'],
])('the output has no control characters, and is the same JSON: %s', async (_, body) => {
  for (const terminals of [[], ['stdout']] as const) {
    const { stdout } = await runFake('api /pets --color never', { responses: [{ body }], terminals });
    expect(stdout).not.toMatch(terminals.length === 0 ? /[\x7f-\x9f]/ : /[\x7f-\x9f\u202e]/);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(body));
  }
});

test.each([
  ['api /pets -i', 200],
  ['api /pets -i', 401],
  ['api /pets -i -v', 401],
])('%s, status %i: headers are harmless to a terminal, and errors have no cookie', async (line, status) => {
  const headers = { 'x-note': 'a\u001b[2J', 'set-cookie': 'session=s3cret' };
  const { stdout, stderr } = await runFake(line, { responses: [{ status, headers, body: '{}' }] });
  expect(status === 200 ? stdout : stderr).toContain('\nx-note: a^[[2J\n');
  expect(stdout + stderr).not.toContain('\u001b');
  expect(stderr).not.toContain('s3cret');
});

test.each([
  ...['-0.10e+2', '9007199254740993', '1e400', '0.12345678901234567890', '1.0'].map(
    (number) => `[${number}]`,
  ),
  '{ "a": 1,\r\n\t"b": "\\u00e9 \\/" }\n',
])('--input %j is sent and shown as it is', async (stdin) => {
  const { requests } = await runFake('api /pets --input -', { stdin });
  expect(requests.map(({ body }) => body)).toEqual([stdin]);
  const curl = await runFake('api /pets --input - --curl', { stdin });
  expect(curl.stdout).toContain(`--data-raw '${stdin.replace('\r', '')}'`);
  const blank = /[ \t\r\n]+/g;
  for (const flags of ['', ' -o json', ' -o ndjson']) {
    const { stdout } = await runFake(`api /pets --input - --dry-run${flags}`, { stdin });
    expect(stdout.replace(blank, '')).toContain(stdin.replace(blank, ''));
  }
  const { stdout } = await runFake('api /pets --input - --dry-run -o json', { stdin, terminals: ['stdout'] });
  expect(JSON.parse(stdout).body).toEqual(JSON.parse(stdin));
});

test.each([
  // The shell can insert neither an escape of JSON nor one of a URL.
  [String.raw`sk-"a\b"`, '-f', `--data-raw '{"n":"[key]"}'`, true],
  ['sk-a/b+c==', '-X GET -f', "'https://pets.test/v1/pets?n=[key]'", true],
  ['sk-a/b+c==', '-f', `--data-raw '{"n":"'"$PETSTORE_API_KEY"'"}'`, false],
  // A short key, as a whole value.
  ['mock-k1', '-f', `--data-raw '{"n":"'"$PETSTORE_API_KEY"'"}'`, false],
  ['mock-k1', '-X GET -f', '"https://pets.test/v1/pets?n=$PETSTORE_API_KEY"', false],
  ['mock-k1', '-H X-Key:mock-k1 -f', '-H "X-Key: $PETSTORE_API_KEY"', false],
])('--curl and --dry-run do not show the key %s after %s', async (key, flags, shown, isWarned) => {
  const env = { ...ENV, PETSTORE_API_KEY: key };
  const curl = await runFake(`api /pets ${flags} n=${key} --curl`, { env });
  expect(curl.stdout).toContain(shown);
  expect(curl.stderr.includes('Replace [key] before you run the command')).toBe(isWarned);
  for (const output of ['', ' -o json']) {
    const { stdout, stderr } = await runFake(`api /pets ${flags} n=${key} --dry-run${output}`, { env });
    expect(stdout).toMatch(/n"?[:=] ?"?\[key\]/);
    expect(stdout).not.toContain(key);
    expect(stderr).not.toContain('warning');
  }
});

test.each(['k1', 'pets', 'test'])('a short key %s stays in a longer word', async (key) => {
  const env = { ...ENV, PETSTORE_API_KEY: key };
  const { stdout } = await runFake('api /pets/k1-petstore?testing=1 --dry-run', { env });
  expect(stdout).toContain(`pets.test/v1/${key === 'pets' ? '[key]' : 'pets'}/k1-petstore?testing=1`);
});
