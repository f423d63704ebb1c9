import { expect, test } from 'vitest';
import { endpointOf } from '../../../src/cli/system/endpoint.js';

test.each([
  ['https://pets.test/v1', { host: 'pets.test', port: 443, isTls: true }],
  ['http://localhost', { host: 'localhost', port: 80, isTls: false }],
  ['https://pets.test:80', { host: 'pets.test', port: 80, isTls: true }],
  ['http://[::1]:8080', { host: '::1', port: 8080, isTls: false }],
])('%s', (url, expected) => {
  expect(endpointOf(new URL(url))).toEqual(expected);
});
