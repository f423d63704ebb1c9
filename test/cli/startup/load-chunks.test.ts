import { expect, test } from 'vitest';
import { createLoader, wrapChunk } from '../../../src/cli/startup/load-chunks.js';

/** A loader of these chunks. A missing one is an error. */
function loaderOf(chunks: Record<string, string>) {
  return createLoader(
    {
      folder: '/app',
      read(name) {
        const code = chunks[name];
        if (code === undefined) throw new Error(`no ${name}`);
        return { text: wrapChunk(code) };
      },
    },
    (id) => `other ${id}`,
  );
}

test('chunks may require one another, and what is not a chunk', () => {
  const load = loaderOf({
    'one.cjs': "exports.name = 'one'; exports.two = require('./two.cjs').text;",
    'two.cjs': "exports.text = require('./one.cjs').name + require('node:fs') + __filename + __dirname;",
  });
  expect(load('./one.cjs')).toEqual({ name: 'one', two: 'oneother node:fs/app/two.cjs/app' });
  expect(load('./one.cjs')).toBe(load('./one.cjs'));
});

test.each([
  ['is missing', {}, 'no one.cjs'],
  ['throws', { 'one.cjs': "exports.name = 'one'; throw new Error('broken');" }, 'broken'],
  ['is damaged', { 'one.cjs': '}' }, 'Unexpected token'],
  ['needs a missing one', { 'one.cjs': "require('./two.cjs')" }, 'no two.cjs'],
])('a chunk that %s is the same error each time', (_, chunks, message) => {
  const load = loaderOf(chunks);
  expect(() => load('./one.cjs')).toThrow(message);
  expect(() => load('./one.cjs')).toThrow(message);
});
