import { expect, test } from 'vitest';
import { openDns, runTimeoutMs } from '../../../../src/cli/commands/domain/dns-access.js';
import type { Session } from '../../../../src/cli/action.js';
import { fakeContext } from '../../../support/fake-context.js';
import { parseLine } from '../../../support/parse-line.js';

test.each([
  ['domain verify', 1, 61_000],
  ['domain verify', 500, 560_000],
  ['domain verify --timeout 5s', 500, 5_000],
])('%s of %i domains may take %i ms', async (line, count, timeoutMs) => {
  const { global } = await parseLine(line);
  expect(runTimeoutMs(count, { global })).toBe(timeoutMs);
});

test.each([
  ['https://dns.test/dns-query', ['--doh is asked without the proxy: petstore help environment']],
  ['http://127.0.0.1/dns-query', []],
])('a proxy is not used for --doh %s, and that is told', async (doh, said) => {
  const notes: string[] = [];
  const { context } = fakeContext({ env: { HTTPS_PROXY: 'http://proxy.test' } });
  const session = { context, global: { mock: false }, note: (text: string) => void notes.push(text) };
  await openDns({ resolvers: [], doh, usePublic: true }, session as unknown as Session);
  expect(notes).toEqual(said);
});
