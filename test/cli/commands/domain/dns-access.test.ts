import { expect, test } from 'vitest';
import { longerTimeout, runTimeoutMs, withDns } from '../../../../src/cli/commands/domain/dns-access.js';
import type { DnsOptions } from '../../../../src/cli/commands/domain/input/domain-flags.js';
import { runFake } from '../../../support/fake-context.js';
import { sessionFor } from '../../../support/fake-session.js';
import { parseLine } from '../../../support/parse-line.js';

test.each([
  ['domain verify', 1, 61_000],
  ['domain verify', 500, 560_000],
  ['domain verify --timeout 5s', 500, 5_000],
])('%s with %i domains has a limit of %i ms', async (line, count, timeoutMs) => {
  const { global } = await parseLine(line);
  expect(runTimeoutMs(count, { global })).toBe(timeoutMs);
});

test.each([
  [5_000, 60_000, '--timeout 1m'],
  [45_500, 60_000, '--timeout 91s'],
  [1_800_000, 1_800_000, '--timeout 1h'],
])('doubles a limit of %i ms, to %i ms or more: %s', (ranOutAfterMs, leastMs, flag) => {
  expect(longerTimeout(ranOutAfterMs, leastMs)).toBe(flag);
});

test.each([
  ['localhost:5353', /^(127\.0\.0\.1|\[::1\]):5353$/],
  ['192.0.2.1:53', /^192\.0\.2\.1:53$/],
  ['[::1]:5353', /^\[::1\]:5353$/],
  ['::1', /^::1$/],
  ['nowhere.invalid:53', /^nowhere\.invalid:53$/],
])('resolves --resolver %s at most once', async (resolver, expected) => {
  const { session, options } = await sessionFor(`domain records --no-public --resolver ${resolver}`);
  const checked = { flags: options as DnsOptions, names: ['shop.example.com'] };
  const resolvers = await withDns(checked, session, async ({ options }) => options.resolvers);
  expect(resolvers).toEqual([expect.stringMatching(expected)]);
});

test.each([
  ['--resolver', 'ida:secret@127.0.0.1:53'],
  ['--doh', 'https://ida:secret@dns.example/q'],
  ['--connect', 'ida:secret@127.0.0.1'],
])('%s %s is rejected, and the password is not repeated', async (flag, word) => {
  const { exitCode, stderr } = await runFake(`domain verify a.example --target t.example ${flag} ${word}`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`error: ${flag} contains a user name or password\n`);
  expect(stderr).not.toMatch(/ida|secret/);
});

test.each([
  ['https://dns.test/dns-query', ['--doh does not use the proxy. See: petstore help environment']],
  ['http://127.0.0.1/dns-query', []],
])('notes that --doh %s does not use the proxy', async (doh, said) => {
  const { session, options, stderr } = await sessionFor(`domain records --doh ${doh}`, {
    env: { HTTPS_PROXY: 'http://proxy.test' },
  });
  await withDns({ flags: options as DnsOptions, names: [] }, session, async () => undefined);
  expect(stderr().trim().split('\n').filter(Boolean)).toEqual(said);
});
