import { expect, test } from 'vitest';
import { runTimeoutMs } from '../../../../src/cli/commands/domain/dns-access.js';
import { parseLine } from '../../../support/parse-line.js';

test.each([
  ['domain verify', 1, 61_000],
  ['domain verify', 500, 560_000],
  ['domain verify --timeout 5s', 500, 5_000],
])('%s of %i domains may take %i ms', async (line, count, timeoutMs) => {
  const { global } = await parseLine(line);
  expect(runTimeoutMs(count, { global })).toBe(timeoutMs);
});
