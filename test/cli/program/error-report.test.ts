import { describe, expect, test } from 'vitest';
import { reportError, reportStyle } from '../../../src/cli/program/error-report.js';
import { MultilineError, UsageError } from '../../../src/cli/errors/usage-error.js';
import { redactStderr } from '../../../src/cli/settings/credentials/redaction.js';
import { ConnectionError, RateLimitError } from '../../../src/errors.js';
import { ENV, fakeContext, runFake } from '../../support/fake-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const PLAIN = { json: false, verbose: false, quiet: false, color: false, waitMaxMs: 0 };

function report(error: unknown, style = {}, env: Record<string, string> = ENV) {
  const { context, stderr, stdout } = fakeContext({ env });
  const exitCode = reportError(error, { ...PLAIN, ...style }, redactStderr(context));
  expect(stdout()).toBe('');
  return { exitCode, stderr: stderr() };
}

describe('reportError', () => {
  test.each([
    ['ECONNREFUSED', 'The proxy p.test:3128 may have failed. Check HTTPS_PROXY'],
    ['ECONNRESET', 'The proxy p.test:3128 may have failed. Check HTTPS_PROXY'],
    ['CERT_HAS_EXPIRED', 'The certificate of https://pets.test or of its issuer has expired. '],
  ])('names the proxy without its login: %s', (code, hint) => {
    const request = { method: 'GET', url: 'https://pets.test/v1/pets' };
    const error = new ConnectionError('no response', { code, request });
    const env = { ...ENV, HTTPS_PROXY: 'http://ida:hunter2@p.test:3128' };
    const { stderr } = report(error, {}, env);
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain('hunter2');
    expect(stderr.includes('no response through the proxy p.test:3128\n')).toBe(code !== 'CERT_HAS_EXPIRED');
    expect(report(error, {}, { ...env, NO_PROXY: '*' }).stderr).not.toContain('proxy');
  });

  const UNREACHED =
    'The proxy p.test:3128 responds, but could not connect to https://pets.test. Check the base URL';

  // As squid 5.7, tinyproxy 1.11 and privoxy 3.0.34 respond.
  test.each([
    [503, '', UNREACHED],
    [500, '', UNREACHED],
    [404, '', UNREACHED],
    [403, ':8443', 'Check the port of the base URL, https://pets.test:8443'],
    [403, '', 'This is the response of the proxy p.test:3128. Check HTTPS_PROXY'],
  ])('names what a proxy could not reach: %i%s', (status, port, hint) => {
    const request = { method: 'GET', url: `https://pets.test${port}/v1/pets` };
    const code = `ERR_PROXY_${String(status)}`;
    const error = new ConnectionError('no tunnel', { code, request });
    expect(report(error, {}, { ...ENV, HTTPS_PROXY: 'http://p.test:3128' }).stderr).toContain(hint);
  });

  test.each([
    [{ json: true, quiet: true }, 1],
    [{ json: true }, 2],
    [{ quiet: true }, 3],
  ])('with --quiet, a JSON error is the only line: %j', (style, lineCount) => {
    const env = { ...ENV, PETSTORE_ANNOTATIONS: 'github' };
    const { stderr } = report(new UsageError('bad', 'x'), style, env);
    expect(stderr.trimEnd().split('\n')).toHaveLength(lineCount);
  });

  test('uses colour if stderr supports it', () => {
    expect(report(new UsageError('bad', 'x'), { color: true }).stderr).toBe(
      '\u001b[1;31merror:\u001b[0m bad\n\u001b[1;36mhint:\u001b[0m x\n',
    );
  });

  test('keeps the line breaks of a message that points into an expression', () => {
    expect(report(new MultilineError('wrong\n  [?\n    ^')).stderr).toBe('error: wrong\n  [?\n    ^\n');
  });

  test('escapes line breaks in other messages and in stack traces', () => {
    const { stderr } = report(new UsageError('wrong\n::stop-commands::t'), {}, { PETSTORE_DEBUG: '1' });
    expect(stderr).toMatch(
      /^error: wrong\^J::stop-commands::t\nUsageError: wrong\^J::stop-commands::t\n {4}at/,
    );
  });

  test('JSON: one line with all fields, null if unknown', () => {
    const error = new RateLimitError('slow', { retryAt: new Date(0), retryAfterMs: 1_000, code: 'c' });
    const { stderr } = report(error, { json: true });
    expect(stderr.endsWith('}\n')).toBe(true);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(JSON.parse(stderr)).toEqual({
      error: {
        type: 'rate-limit',
        message: 'slow',
        status: 429,
        code: 'c',
        hint: 'Pass --max-wait 6s to wait.',
        retryable: true,
        retryAt: '1970-01-01T00:00:00.000Z',
        exitCode: 6,
      },
    });
  });

  test('prints circular causes once', () => {
    const inner = new Error('inner');
    const error = new Error('outer', { cause: inner });
    inner.cause = error;
    const { stderr } = report(error, {}, { ...ENV, PETSTORE_DEBUG: '1' });
    expect(stderr.match(/caused by: /g)).toHaveLength(1);
  });

  test('prints a stack trace only with PETSTORE_DEBUG=1, with causes, without the key', () => {
    const error = new Error('broken', { cause: new Error(`deep ${ENV.PETSTORE_API_KEY}`) });
    expect(report(error).stderr).not.toContain(' at ');
    const { stderr } = report(error, {}, { ...ENV, PETSTORE_DEBUG: '1' });
    expect(stderr).toMatch(/Error: broken\n {4}at .*caused by: Error: deep \[key\]\n/s);
  });
});

describe('reportStyle', () => {
  test.each([
    [['--color', 'never'], { FORCE_COLOR: '1' }, false],
    [['--color=always'], { NO_COLOR: '1' }, true],
    [['--color', 'always', '--color', 'never'], {}, false],
    [['--', '--color', 'always'], {}, false],
    [['--color', 'always'], { FORCE_COLOR: '1', TERM: 'dumb' }, false],
    [['--color', 'sometimes'], { PETSTORE_COLOR: 'always' }, true],
    [['--color'], { PETSTORE_COLOR: 'sometimes', FORCE_COLOR: '1' }, true],
  ])('colour of an error before the flags are parsed: %j with %j', (argv, env, color) => {
    expect(reportStyle(argv, fakeContext({ env }).context, undefined).color).toBe(color);
  });

  test('a profile can choose JSON', async () => {
    const folder = temporaryFolder({ 'config.json': { profile: 'p', profiles: { p: { output: 'json' } } } });
    const { stderr } = await runFake('pets list', { env: { PETSTORE_CONFIG_DIR: folder } });
    expect(JSON.parse(stderr).error).toMatchObject({ type: 'usage', exitCode: 2 });
  });

  test('reports a broken configuration', async () => {
    const currentDirectory = temporaryFolder({ 'petstore.config.json': '{' });
    const { exitCode, stderr } = await runFake('pets list --json', { currentDirectory });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error.message).toMatch(/line 1, column 2/);
  });
});
