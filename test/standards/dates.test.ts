import { describe, expect, test } from 'vitest';
import { parseHttpDate } from '../../src/client/response/http-date.js';
import { checkRequest } from '../../src/domain/request/check-arguments.js';

const NOW = Date.UTC(2026, 10, 22, 12);

describe('HTTP-date (RFC 9110, section 5.6.7)', () => {
  test.each([
    // "Examples in all three formats."
    ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['rfc850-date', 'Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['asctime-date', 'Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
    ['asctime-date with a day of two digits', 'Sat Nov 26 08:49:37 1994', '1994-11-26T08:49:37Z'],
    // "second = 2DIGIT", 60 for a leap second (RFC 5322, section 3.3).
    ['a leap second', 'Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00Z'],
    ['29 February of a leap year', 'Thu, 29 Feb 2024 00:00:00 GMT', '2024-02-29T00:00:00Z'],
    ['29 February 2000', 'Tue, 29 Feb 2000 00:00:00 GMT', '2000-02-29T00:00:00Z'],
    ['the first second of a day', 'Mon, 01 Jan 2029 00:00:00 GMT', '2029-01-01T00:00:00Z'],
    ['the last second of a day', 'Mon, 31 Dec 2029 23:59:59 GMT', '2029-12-31T23:59:59Z'],
    // No rule makes a recipient reject a wrong day name. A rejected date would be a shorter wait.
    ['a wrong day name', 'Mon, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['a year of four digits below 1000', 'Thu, 01 Jan 0099 00:00:00 GMT', '0099-01-01T00:00:00Z'],
  ])('%s', (_, text, expected) => {
    expect(parseHttpDate(text, NOW)).toBe(Date.parse(expected));
  });

  // "… MUST interpret a timestamp that appears to be more than 50 years in the future as representing the most recent
  // year in the past that had the same last two digits."
  test.each([
    ['2026-11-22T12:00:00Z', '22-Nov-76 12:00:00', 2076],
    ['2026-11-22T12:00:00Z', '22-Nov-76 12:00:01', 1976],
    ['2026-11-22T12:00:00Z', '23-Nov-76 00:00:00', 1976],
    ['2026-11-22T12:00:00Z', '01-Jan-77 00:00:00', 1977],
    ['2099-12-31T23:59:59Z', '01-Jan-00 00:00:00', 2100],
    ['2099-06-01T00:00:00Z', '01-Jun-49 00:00:00', 2149],
    ['2099-06-01T00:00:00Z', '01-Jun-49 00:00:01', 2049],
    ['1994-11-06T00:00:00Z', '06-Nov-44 00:00:00', 2044],
    ['1994-11-06T00:00:00Z', '06-Nov-44 00:00:01', 1944],
  ])('at %s the rfc850-date %s is in %i', (now, text, year) => {
    const time = parseHttpDate(`Sunday, ${text} GMT`, Date.parse(now));
    expect(new Date(time ?? Number.NaN).getUTCFullYear()).toBe(year);
  });

  test.each([
    // "HTTP-date is case sensitive."
    ...['sun, 06 Nov 1994 08:49:37 GMT', 'Sun, 06 NOV 1994 08:49:37 GMT'],
    ...['Sun, 06 Nov 1994 08:49:37 gmt'],
    // day = 2DIGIT, and in asctime-date ( 2DIGIT / ( SP 1DIGIT ) ).
    ...['Sun, 6 Nov 1994 08:49:37 GMT', 'Sun Nov 6 08:49:37 1994'],
    // "… MUST NOT generate additional whitespace in an HTTP-date beyond that specifically included as SP".
    ...['Sun,  06 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994  08:49:37 GMT'],
    ...['Sun, 06 Nov 1994 08:49:37', 'Sun, 06 Nov 1994 08:49:37 UTC'],
    ...['Sun, 06 Nov 1994 08:49:37 +0000', 'Sun, 06 Nov 94 08:49:37 GMT'],
    ...['Sun, 06-Nov-94 08:49:37 GMT', 'Sunday, 06-Nov-1994 08:49:37 GMT'],
    ...['Sunday, 06 Nov 1994 08:49:37 GMT', 'Sun Nov  6 08:49:37 94'],
    ...['Sun, 31 Nov 1994 08:49:37 GMT', 'Wed, 29 Feb 2023 00:00:00 GMT'],
    ...['Mon, 29 Feb 2100 00:00:00 GMT', 'Sun, 00 Nov 1994 08:49:37 GMT'],
    ...['Sun, 06 Nov 1994 24:00:00 GMT', 'Sun, 06 Nov 1994 08:60:00 GMT'],
    ...['Sun, 06 Nov 1994 08:49:61 GMT', '1994-11-06T08:49:37Z', '784111777', ''],
  ])('%j is not one', (text) => {
    expect(parseHttpDate(text, NOW)).toBeUndefined();
  });
});

describe('the time of verification (RFC 3339, section 5.6)', () => {
  const request = { domain: 'shop.example.test', target: 'cname.platform.test' };

  test.each([
    // Examples of section 5.8, without those with a leap second, which a Date can't represent.
    ...['1985-04-12T23:20:50.52Z', '1996-12-19T16:39:57-08:00', '1937-01-01T12:00:27.87+00:20'],
    // "T" and "Z" may be lower case.
    ...['1996-12-19t16:39:57z', '2026-11-21T14:00:00.000Z', '2024-02-29T00:00:00Z'],
  ])('%s is one', (verifiedAt) => {
    expect(checkRequest({ ...request, verifiedAt })).toMatchObject({ verifiedAt });
  });

  test.each([
    // A time without an offset is no instant (section 4.4).
    ...['2026-11-21T14:00:00', '2026-11-21', '2026-11-21 14:00:00Z', '2026-11-21T14:00Z'],
    ...['2026-11-21T24:00:01Z', '2026-13-21T14:00:00Z', '2026-11-31T14:00:00Z'],
    ...['2026-11-21T14:60:00Z', '2026-11-21T14:00:00+24:00', '26-11-21T14:00:00Z'],
    ...['+002026-11-21T14:00:00Z', '1795262400000', ' 2026-11-21T14:00:00Z', ''],
  ])('%j is not one', (verifiedAt) => {
    expect(() => checkRequest({ ...request, verifiedAt })).toThrow('verifiedAt must be a date');
  });
});
