import { expect, test } from 'vitest';
import { createDnsJournal } from '../../../src/mock/dns/journal.js';

const entry = (name: string) =>
  ({
    at: new Date(1),
    over: 'udp',
    server: '127.0.0.1',
    name,
    type: 'A',
    recursionDesired: false,
    edns: true,
    answers: 0,
  }) as const;

test('keeps the last entries, and counts the dropped ones', () => {
  const journal = createDnsJournal(3);
  for (let count = 1; count <= 20; count += 1) journal.record(entry(String(count)));
  expect(journal.entries().map(({ sequence, name }) => [sequence, name])).toEqual([
    [18, '18'],
    [19, '19'],
    [20, '20'],
  ]);
  expect([journal.size, journal.dropped]).toEqual([3, 17]);
  journal.clear();
  expect([journal.size, journal.dropped, journal.entries()]).toEqual([0, 0, []]);
  journal.record(entry('again'));
  expect(journal.entries()[0]?.sequence).toBe(1);
});

test('requires a positive whole number', () => {
  for (const wrong of [0, -1, 1.5, Number.NaN]) expect(() => createDnsJournal(wrong)).toThrow(TypeError);
});
