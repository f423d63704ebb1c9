import { expect, test, vi } from 'vitest';
import type { RedirectEntry } from '../../../src/domain/request/options.js';
import {
  checkEntries,
  probeableEntries,
  parseEntry,
  routesByHost,
} from '../../../src/domain/probe/redirect-entries.js';
import { expectComplete } from '../rule-table.js';
import { named } from '../../support/named.js';

const entry = (from: string, to: string, status = 301): RedirectEntry => ({ from, to, status });

test('converts hosts to ASCII', () => {
  expect(parseEntry(entry('MÜLLER.Example.test.', 'shop.example.test'))).toEqual(
    entry('xn--mller-kva.example.test', 'shop.example.test'),
  );
  expect(parseEntry(entry('a.example.test:80', 'b.example.test'))).toBeUndefined();
  expect(parseEntry(entry('a.example.test', 'http://b.example.test'))).toBeUndefined();
});

test('does not probe invalid entries', () => {
  const good = [entry('a.example.test', 'b.example.test'), entry('b.example.test', 'c.example.test', 308)];
  const bad = [
    entry('x.example.test', 'y.example.test', 200),
    entry('10.0.0.1', 'y.example.test'),
    entry('l.example.test', 'm.example.test'),
    entry('m.example.test', 'l.example.test'),
    entry('k.example.test', 'l.example.test'),
  ];
  expect(probeableEntries([...bad, ...good])).toEqual(good);
});

test('uses the first of several entries for a host', () =>
  expect(routesByHost([entry('a', 'b'), entry('a', 'c')]).get('a')?.end).toBe('b'));

test('follows entries to the end, or into a loop', () => {
  const chain = [entry('b', 'c'), entry('a', 'b'), entry('d', 'b')];
  const routes = routesByHost([...chain, entry('x', 'y'), entry('y', 'y'), entry('w', 'x')]);
  expect(Object.fromEntries(routes)).toEqual({
    a: { isLoop: false, end: 'c', count: 2 },
    b: { isLoop: false, end: 'c', count: 1 },
    c: { isLoop: false, end: 'c', count: 0 },
    d: { isLoop: false, end: 'c', count: 2 },
    ...Object.fromEntries(['w', 'x', 'y'].map((host) => [host, { isLoop: true, end: '', count: 0 }])),
  });
});
const A = 'a.example.test';
const B = 'b.example.test';
const C = 'c.example.test';

const cases = named<[RedirectEntry[], ...string[]]>({
  right: [[entry(A, B), entry(C, B, 308)]],
  'an URL': [
    [entry(A, B), entry('https://a.example.test/x', B)],
    'name.invalid block redirects[1].from: "https://a.example.test/x"',
  ],
  'an address': [[entry(A, '192.0.2.1')], 'name.ip block redirects[0].to: "192.0.2.1"'],
  'a status that does not redirect': [
    [entry(A, B, 200)],
    `redirect.status block ${A} → ${B}: 200 is not a redirect status.`,
  ],
  'a status with another meaning': [
    [entry(A, B, 304)],
    `redirect.status block ${A} → ${B}: 304 is not a redirect status.`,
  ],
  'the same twice': [
    [entry(A, B), entry('A.Example.test.', B)],
    `redirect.target warn ${A} → ${B}: the entry exists 2 times.`,
  ],
  'two of one host': [
    [entry(A, B), entry(A, C), entry(A, B, 302)],
    `redirect.target block ${A} → ${B}: 3 entries for ${A} contradict each other: ${B} with 301, ${C} with 301 and ${B} with 302.`,
  ],
  itself: [[entry(A, A)], `redirect.loop block ${A} → ${A}: the entries form a loop: ${A} → ${A}.`],
  'a loop, reported once': [
    [entry(A, B), entry(B, C), entry(C, A)],
    `redirect.loop block ${A} → ${B}: the entries form a loop: ${A} → ${B} → ${C} → ${A}.`,
  ],
  'into a loop': [
    [entry(A, B), entry(B, C), entry(C, B)],
    `redirect.loop block ${A} → ${B}: the entries form a loop: ${A} → ${B} → ${C} → ${B}.`,
  ],
  'a chain': [
    [entry(A, B), entry(B, C)],
    `redirect.loop warn ${A} → ${B}: ${B} redirects too, so visitors follow 2 redirects to ${C}.`,
  ],
});

test.each([A, B, C, 'd.example.test'])('a loop has the same entry to remove for each host: %s', (host) => {
  const all = [entry(A, B), entry(B, C), entry(C, A), entry('d.example.test', B)];
  const own = all.filter(({ from }) => from === host);
  expect(checkEntries(own, { all }).map(({ fix }) => fix?.text)).toEqual([
    `In the redirects of the project, remove or change the entry ${C} → ${A}: it leads back.`,
  ]);
});

test.each([
  [
    [entry(A, B), entry(B, C), entry(C, A)],
    `In the redirects of the project, remove or change the entry ${C} → ${A}: it leads back.`,
  ],
  [
    [entry(A, B), entry(B, B)],
    `In the redirects of the project, remove or change the entry ${B} → ${B}: it leads back.`,
  ],
])('names the entry that closes a loop: %#', (entries, text) =>
  expect(checkEntries(entries)[0]?.fix?.text).toBe(text),
);

test.each(cases)('%s', (_name, entries, ...expected) => {
  const findings = checkEntries(entries);
  expect(findings.map(({ id, severity, message }) => `${id} ${severity} ${message}`)).toEqual(
    expected.map((text) => expect.stringContaining(text)),
  );
  for (const finding of findings) {
    expect(finding.axis).toBe('redirect');
    expectComplete(finding);
  }
});

test('lists the affected entries, with hosts in ASCII', () => {
  const about = (entries: RedirectEntry[]) => checkEntries(entries).map((finding) => finding.entries);
  expect(about([entry(A, B), entry('B.Example.test.', A), entry(C, A)])).toEqual([
    [entry(A, B), entry(B, A)],
    [entry(A, B), entry(B, A), entry(C, A)],
  ]);
  expect(about([entry(A, B), entry(A, C)])).toEqual([[entry(A, B), entry(A, C)]]);
  expect(about([entry('https://a.test/\u0007', B)])).toEqual([[entry('https://a.test/^G', B)]]);
});

test('warns of a target outside the project, if its domains are known', () => {
  const entries = [entry(A, B), entry(C, B)];
  expect(checkEntries(entries, { attached: [B] })).toEqual([]);
  const [finding] = checkEntries([entry(A, 'B.example.test')], { attached: [C] });
  expect(finding?.message).toBe(`${A} → ${B}: ${B} is not a domain of the project.`);
});

test.each<[string, (index: number, count: number) => number]>([
  ['a chain', (index) => index + 1],
  ['a loop', (index, count) => (index + 1) % count],
  ['one loop for each two entries', (index) => (index % 2 === 0 ? index + 1 : index - 1)],
])('twice as many entries in %s take twice the work', (_name, next) => {
  const lookups = (count: number): number => {
    const entries = Array.from({ length: count }, (_, index) =>
      entry(`a${index}.example.test`, `a${next(index, count)}.example.test`),
    );
    const spies = [vi.spyOn(Map.prototype, 'get'), vi.spyOn(Set.prototype, 'add')];
    try {
      checkEntries(entries);
      probeableEntries(entries);
      return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  };
  lookups(1);
  expect(lookups(400)).toBeLessThan(2.1 * lookups(200));
});
