import { expect, test } from 'vitest';
import { openDns, runTimeoutMs } from '../../../../src/cli/commands/domain/dns-access.js';
import type { Session } from '../../../../src/cli/session/action.js';
import { readGlobalOptions } from '../../../../src/cli/command-line/global-options.js';
import { readCommandTree } from '../../../../src/cli/program/read-command-tree.js';
import { createSession } from '../../../../src/cli/session/session.js';
import { fakeContext, runFake } from '../../../support/fake-context.js';
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
  ['localhost:5353', /^(127\.0\.0\.1|\[::1\]):5353$/],
  ['192.0.2.1:53', /^192\.0\.2\.1:53$/],
  ['[::1]:5353', /^\[::1\]:5353$/],
  ['::1', /^::1$/],
  ['nowhere.invalid:53', /^nowhere\.invalid:53$/],
])('resolves --resolver %s at most once', async (resolver, expected) => {
  const { context } = fakeContext();
  const session = createSession(readGlobalOptions({}), context, readCommandTree);
  const { options } = await openDns(
    { resolvers: [resolver], usePublic: false },
    ['shop.example.com'],
    session,
  );
  expect(options.resolvers).toEqual([expect.stringMatching(expected)]);
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
  const notes: string[] = [];
  const { context } = fakeContext({ env: { HTTPS_PROXY: 'http://proxy.test' } });
  const session = {
    context,
    global: { mock: false },
    note: (text: string) => void notes.push(text),
    startWait: () => () => undefined,
  };
  await openDns({ resolvers: [], doh, usePublic: true }, ['shop.example.com'], session as unknown as Session);
  expect(notes).toEqual(said);
});
