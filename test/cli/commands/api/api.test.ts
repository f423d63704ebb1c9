import { expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';

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
  ['-0.10e+2', true],
  ['0.30000000000000004', true],
  ['9007199254740993', true],
  ['"1e400"', true],
  ['1e400', false],
  ['1e-400', false],
  ['0.12345678901234567890', false],
  [`1${'0'.repeat(400)}`, false],
])('--input with the number %.22s is sent exactly: %s', async (number, isSent) => {
  const { exitCode, stderr, requests } = await runFake('api /pets --input -', { stdin: `[{"a":${number}}]` });
  expect({ exitCode, sent: requests.length }).toEqual(
    isSent ? { exitCode: 0, sent: 1 } : { exitCode: 2, sent: 0 },
  );
  expect(stderr).toContain(
    isSent ? '' : `error: stdin: number ${number.slice(0, 40)} can't be sent exactly\nhint: `,
  );
});
