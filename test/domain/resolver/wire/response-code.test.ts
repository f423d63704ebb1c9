import { expect, test } from 'vitest';
import { responseCodeName } from '../../../../src/domain/resolver/wire/response-code.js';

test.each([
  [0, 'NOERROR'],
  [1, 'FORMERR'],
  [2, 'SERVFAIL'],
  [3, 'NXDOMAIN'],
  [4, 'NOTIMP'],
  [5, 'REFUSED'],
  [9, 'NOTAUTH'],
  [11, 'RCODE11'],
  [16, 'BADVERS'],
  [23, 'BADCOOKIE'],
  [4095, 'RCODE4095'],
])('%i is %s', (code, name) => {
  expect(responseCodeName(code)).toBe(name);
});
