import { describe, expect, test } from 'vitest';
import { createDnsFaults, type DnsFault } from '../../../src/mock/dns/dns-faults.js';

const query = { name: 'shop.example.test', type: 'A', servers: ['127.0.0.2', 'ns2.example.test'] };

describe('matches', () => {
  test.each<[Omit<DnsFault, 'action'>, boolean]>([
    [{}, true],
    [{ name: 'shop.example.test' }, true],
    [{ name: 'Shop.Example.test.' }, true],
    [{ name: 'example.test' }, false],
    [{ name: '*.example.test' }, true],
    [{ name: '*.shop.example.test' }, false],
    [{ type: 'a' }, true],
    [{ type: 'CAA' }, false],
    [{ server: '127.0.0.2' }, true],
    [{ server: 'NS2.example.test.' }, true],
    [{ server: 'ns1.example.test' }, false],
    [{ server: 'recursor' }, false],
    [{ name: 'shop.example.test', type: 'A', server: 'ns2.example.test' }, true],
    [{ name: 'shop.example.test', type: 'A', server: 'ns1.example.test' }, false],
  ])('%j: %s', (fault, isMatch) => {
    const faults = createDnsFaults([{ ...fault, action: 'drop' }], 1);
    expect(faults.apply(query)).toEqual(isMatch ? ['drop'] : []);
    expect(faults.permanent(query)).toEqual(isMatch ? ['drop'] : []);
  });

  test('applies skip and times', () => {
    const faults = createDnsFaults([{ skip: 1, times: 2, action: 'servfail' }], 1);
    expect([1, 2, 3, 4].map(() => faults.apply(query).length)).toEqual([0, 1, 1, 0]);
    expect(faults.list()).toMatchObject([{ seen: 4, applied: 2 }]);
    expect(faults.permanent(query)).toEqual([]);
  });

  test('applies several faults to one query', () => {
    const faults = createDnsFaults([{ action: { delayMs: 5 } }, { action: 'truncate' }], 1);
    expect(faults.apply(query)).toEqual([{ delayMs: 5 }, 'truncate']);
  });
});

test.each<[unknown, string]>([
  [null, 'Invalid DNS fault: a fault must be an object'],
  [{ action: 'explode' }, 'action must be one of servfail, refused'],
  [{}, 'action must be one of'],
  [{ action: { delayMs: -1 } }, 'action must be one of'],
  [{ action: 'drop', probability: 2 }, 'probability must be a number from 0 to 1'],
  [{ action: 'drop', name: 7 }, 'name must be a string'],
  [{ action: 'drop', nam: 'a.test' }, 'Unknown property "nam". Did you mean "name"?'],
  [{ action: 'drop', name: 'a..b' }, 'the name has an empty label'],
])('rejects %j', (fault, message) => {
  const faults = createDnsFaults([], 1);
  expect(() => faults.set([fault as DnsFault])).toThrow(TypeError);
  expect(() => faults.set([fault as DnsFault])).toThrow(message);
});
