import { expect, test } from 'vitest';
import { areUnrelatedZones, isNewerSerial } from '../../../../src/domain/gather/views/server-view.js';

test.each([
  [10, 9, true],
  [9, 10, false],
  [9, 9, false],
  [1, 4_294_967_295, true],
  [4_294_967_295, 1, false],
])('serial %i is newer than %i: %s', (serial, than, expected) => {
  expect(isNewerSerial(serial, than)).toBe(expected);
});

const SOA = { type: 'SOA', primary: 'ns1.example.net', serial: 10, refresh: 7200, minimum: 900 } as const;

test.each([
  { name: 'the same record', other: {}, expected: false },
  { name: 'another serial of the same format', other: { serial: 9 }, expected: false },
  { name: 'another case', other: { primary: 'NS1.example.net' }, expected: false },
  { name: 'another primary server', other: { primary: 'ns1.other.net' }, expected: true },
  { name: 'a date instead of a count', other: { serial: 2_026_112_201 }, expected: true },
  { name: 'seconds instead of a count', other: { serial: 1_795_000_000 }, expected: true },
  { name: 'seconds instead of a date', one: 1_795_000_000, other: { serial: 2_026_112_201 }, expected: true },
  { name: 'an unknown format', other: { serial: 2_386_498_473 }, expected: false },
  { name: 'other timers', other: { refresh: 3600 }, expected: false },
  { name: 'other timers elsewhere', other: { refresh: 3600 }, elsewhere: true, expected: true },
  { name: 'another minimum elsewhere', other: { minimum: 60 }, elsewhere: true, expected: true },
  { name: 'a secondary elsewhere', other: { serial: 9 }, elsewhere: true, expected: false },
])('$name: unrelated $expected', ({ one = SOA.serial, other, elsewhere = false, expected }) => {
  const versions = [
    { ...SOA, serial: one },
    { ...SOA, ...other },
  ] as const;
  expect(areUnrelatedZones(versions[0], versions[1], elsewhere)).toBe(expected);
  expect(areUnrelatedZones(versions[1], versions[0], elsewhere)).toBe(expected);
});
