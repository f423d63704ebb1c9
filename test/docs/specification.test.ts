import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { filesBelow, readSource } from '../support/source-tree.js';

const SPECIFICATION = 'docs/specification.md';
/** Of the text as the service published it. */
const DIGEST = 'd23e0a74ef736900eb69445690846151056008db5dbaa4ad781eabbca827ac88';
/** The one form of a citation: its sections, then the number of an item. */
const CITATION = /interface specification, ((?:"[^"]+"(?:, | and )?)+)(\d+)?/g;
/** Other forms, such as `the specification (rate limits)`. */
const OTHER_FORM = /(?:(?:\(|(?<!interface ))specification,|specification \().{0,30}/g;

const text = readSource(SPECIFICATION);
const texts = filesBelow()
  .filter((path) => /^(src|test|bench|build|docs)\/.*\.(ts|mjs|md)$|^[A-Z]+\.md$/.test(path))
  .filter((path) => path !== SPECIFICATION && path !== 'test/docs/specification.test.ts')
  // A citation may continue on the next line of a comment.
  .map((path) => [path, readSource(path).replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')] as const);

test('the interface specification is unchanged', () => {
  expect(createHash('sha256').update(text).digest('hex')).toBe(DIGEST);
});

test('every citation of the interface specification names a section and an item that exist', () => {
  const found = texts.flatMap(([path, content]) =>
    [...content.matchAll(CITATION)].map(([citation, sections = '', item]) => ({
      name: `${path}: ${citation}`,
      exists: [...sections.matchAll(/"([^"]+)"/g)].every(([, section = '']) => hasItem(section, item)),
    })),
  );
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter(({ exists }) => !exists)).toEqual([]);
});

test('citations of the interface specification have one form', () => {
  const found = texts.flatMap(([path, content]) =>
    (content.match(OTHER_FORM) ?? []).map((line) => `${path}: ${line}`),
  );
  expect(found).toEqual([]);
});

/** Whether a heading has the name, before its own parentheses, and the text below it has the item. */
function hasItem(section: string, item = ''): boolean {
  const found = text.split(/^#+ /m).find((part) => part.split(/ \(|\n/)[0] === section);
  return found !== undefined && (item === '' || found.includes(`\n${item}. `));
}
