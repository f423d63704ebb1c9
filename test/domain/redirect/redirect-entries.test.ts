import { expect, test } from 'vitest';
import { askableEntries, readEntry, wayFrom, waysOf } from '../../../src/domain/redirect/redirect-entries.js';

const entry = (from: string, to: string, status = 301) => ({ from, to, status });

test('reads hosts into ASCII', () => {
  expect(readEntry(entry('MÜLLER.Example.test.', 'shop.example.test'))).toEqual(
    entry('xn--mller-kva.example.test', 'shop.example.test'),
  );
  expect(readEntry(entry('a.example.test:80', 'b.example.test'))).toBeUndefined();
  expect(readEntry(entry('a.example.test', 'http://b.example.test'))).toBeUndefined();
});

test('lets nothing be asked that can not be right', () => {
  const good = [entry('a.example.test', 'b.example.test'), entry('b.example.test', 'c.example.test', 308)];
  const bad = [
    entry('x.example.test', 'y.example.test', 200),
    entry('10.0.0.1', 'y.example.test'),
    entry('l.example.test', 'm.example.test'),
    entry('m.example.test', 'l.example.test'),
    entry('k.example.test', 'l.example.test'),
  ];
  expect(askableEntries([...bad, ...good])).toEqual(good);
});

test('goes by the first of several entries', () =>
  expect(waysOf([entry('a', 'b'), entry('a', 'c')]).get('a')).toBe('b'));

test('finds the way to its end, or into a circle', () => {
  const ways = waysOf([entry('a', 'b'), entry('b', 'c'), entry('x', 'y'), entry('y', 'y')]);
  expect(wayFrom('a', ways)).toEqual({ hosts: ['a', 'b', 'c'], isLoop: false });
  expect(wayFrom('x', ways)).toEqual({ hosts: ['x', 'y', 'y'], isLoop: true });
  expect(wayFrom('c', ways)).toEqual({ hosts: ['c'], isLoop: false });
});
