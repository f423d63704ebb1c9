import { expect, test } from 'vitest';
import {
  redactKeyInData,
  redactStderr,
  redactKey,
} from '../../../../src/cli/settings/credentials/redaction.js';
import { fakeContext } from '../../../support/fake-context.js';

const KEY = 'sk-a"b/c+d==';
const context = redactStderr(fakeContext({ env: { PETSTORE_API_KEY: KEY } }).context);

test.each([
  [`there is no profile ${KEY}`, 'there is no profile [key]'],
  [`there is no profile ${JSON.stringify(KEY)}`, 'there is no profile "[key]"'],
  [`GET /pets?key=${encodeURIComponent(KEY)}&limit=1`, 'GET /pets?key=[key]&limit=1'],
  [`${KEY}${KEY}`, '[key][key]'],
])('%s', (text, told) => {
  expect(redactKey(text, context)).toBe(told);
});

test('changes nothing without a key, or with a very short one', () => {
  for (const key of [undefined, '', 'o', 'command']) {
    const { context: host } = fakeContext({ env: key === undefined ? {} : { PETSTORE_API_KEY: key } });
    expect(redactKey('no command', redactStderr(host))).toBe('no command');
  }
});

test('redacts stderr, and later keys once they are added', () => {
  const fake = fakeContext({ env: { PETSTORE_API_KEY: KEY }, terminals: ['stderr'], columns: 93 });
  const { stderr, keyMask, clock } = redactStderr(fake.context);
  stderr.write(`one ${KEY}, sk-stored\n`);
  keyMask?.add('sk-stored');
  stderr.write(`two ${KEY}, sk-stored\n`);
  expect(fake.stderr()).toBe('one [key], sk-stored\ntwo [key], [key]\n');
  expect([stderr.isTTY, stderr.columns]).toEqual([true, 93]);
  expect(clock).toBe(fake.context.clock);
});

test('does not change stdout', () => {
  const fake = fakeContext({ env: { PETSTORE_API_KEY: KEY } });
  redactStderr(fake.context).stdout.write(KEY);
  expect(fake.stdout()).toBe(KEY);
});

test('redacts every text in data, at any depth, and nothing else', () => {
  const data = { id: KEY, url: `https://pets.test/${KEY}`, list: [1, null, { at: KEY }], ok: true };
  expect(redactKeyInData(data, context)).toEqual({
    id: '[key]',
    url: 'https://pets.test/[key]',
    list: [1, null, { at: '[key]' }],
    ok: true,
  });
});
