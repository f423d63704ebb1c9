import { expect, test } from 'vitest';
import { createLimiter, idealMs } from '../support/limiters/limiter.js';
import { ZOO } from '../support/limiters/zoo.js';
import { readSource } from '../support/source-tree.js';

const QUOTA = { limit: 5, windowMs: 5_000 };
const START_AT = 1_795_883_879_634;

test.each(ZOO.map((kind) => [kind.name, kind] as const))('%s rejects the sixth request', (_, kind) => {
  const limiter = createLimiter(kind, QUOTA);
  expect(limiter.wouldAllow(START_AT)).toBe(true);
  const statuses = Array.from({ length: 6 }, () => limiter.handle(START_AT).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, kind.rejection.status]);
  expect(limiter.wouldAllow(START_AT)).toBe(false);
});

test('shows what each limiter sends, and the shortest time for 50 requests', async () => {
  const pages = ZOO.map((kind) => {
    const limiter = createLimiter(kind, QUOTA);
    const first = limiter.handle(START_AT);
    let last = first;
    while (last.status === 200) last = limiter.handle(START_AT + 1_300);
    const ideal = `50 requests take ${(idealMs(kind, QUOTA, 50, START_AT) / 1_000).toFixed(1)} s`;
    return [`${kind.name} ${kind.version} (${ideal})`, ...[first, last].map(text), ''].join('\n');
  });
  await expect(pages.join('\n')).toMatchFileSnapshot('zoo.txt');
});

test('docs/rate-limits.md has a row for each limiter and version', () => {
  const cells = readSource('docs/rate-limits.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const missing = ZOO.filter(({ name, version }) => {
    const [software = ''] = name.split(',');
    const shown = version === 'documented' ? '–' : version;
    return !cells.some(([, limiter = '', cell]) => limiter.startsWith(software) && cell === shown);
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});

function text({ status, headers }: { status: number; headers: Record<string, string> }): string {
  const { 'content-type': _, ...shown } = headers;
  const lines = Object.entries(shown).map(([name, value]) => `    ${name}: ${value}`);
  return [`  ${status}`, ...lines].join('\n');
}
