import { describe, expect, test } from 'vitest';
import { fieldsToObject, readHeaderFlag } from '../../../../src/cli/commands/api/body-fields.js';
import { fakeContext, runFake } from '../../../support/fake-context.js';

describe('fieldsToObject', () => {
  const { context } = fakeContext({ currentDirectory: '/nowhere', stdin: 'from stdin' });

  test.each([
    ['true', true],
    ['false', false],
    ['null', null],
    ['7', 7],
    ['-7', -7],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775808', '9223372036854775808'],
    ['1.5', '1.5'],
    ['007', '007'],
    ['True', 'True'],
    ['-0', '-0'],
    ['', ''],
    ['@-', 'from stdin'],
  ])('-F %s', async (value, expected) => {
    expect(await fieldsToObject([{ key: 'k', value, typed: true }], context)).toEqual({ k: expected });
  });

  test.each(['true', '7', '@-'])('-f %s stays a string', async (value) => {
    expect(await fieldsToObject([{ key: 'k', value, typed: false }], context)).toEqual({ k: value });
  });
});

describe('-H', () => {
  test.each([
    ['X-Request-Id: 42', 'x-request-id', '42'],
    ['traceparent:00-ab-cd-01', 'traceparent', '00-ab-cd-01'],
    ['x-url:  https://a.test:8443/x ', 'x-url', 'https://a.test:8443/x'],
    ['x-empty:', 'x-empty', ''],
  ])('%s', (text, name, value) => {
    expect(readHeaderFlag(text)).toEqual([name, value]);
  });

  test.each([
    ['@headers.txt', '-H needs a name and a value'],
    ['x-request-id', '-H needs a name and a value'],
    [': 42', '-H needs a name and a value'],
    ['x request: 42', '-H needs a name and a value'],
    ['Authorization: Bearer sk-other', "-H can't replace Authorization"],
    [' authorization : Basic sk-other', "-H can't replace Authorization"],
    ['Host: sk-other', "-H can't set host: HTTP or petstore controls it"],
    ['__proto__: sk-other', '-H needs a name and a value'],
    ['x-a: sk-other\r\nhost: b', '-H: the value of x-a contains a control character'],
    ['x-a: sk-other é', '-H: the value of x-a contains a control character or a character outside ASCII'],
  ])('%j is rejected, nothing is sent, and the value is not shown', async (header, message) => {
    const { exitCode, stdout, stderr, requests } = await runFake(['api', '/pets', '-H', header]);
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).not.toContain('sk-other');
  });

  test('is sent with every attempt', async () => {
    const { requests } = await runFake(['api', '/pets', '-H', 'X-A: 1', '--header', 'x-b: 2'], {
      responses: [{ status: 503 }, { body: '[]' }],
    });
    expect(requests).toHaveLength(2);
    for (const { headers } of requests)
      expect(headers).toMatchObject({ 'x-a': '1', 'x-b': '2', authorization: 'Bearer sk-secret' });
  });

  test('is in the curl command', async () => {
    const { stdout } = await runFake(['api', '/pets', '-H', 'X-A: 1', '--curl']);
    expect(stdout).toContain("-H 'X-A: 1'");
  });
});
