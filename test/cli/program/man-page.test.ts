import { expect, test } from 'vitest';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { manPages, topicTexts } from '../../../build/man-page.js';

const TOPIC_TEXTS = await topicTexts();

const tree = await readCommandTree();
const pages = manPages(tree, TOPIC_TEXTS);
const textOf = (file: string): string => pages.find((page) => page.file === file)?.text ?? '';

test('there is a page for the program, each command and each topic', () => {
  expect(pages.map(({ file }) => file).sort()).toEqual(
    [
      'petstore.1',
      ...tree.commands.map(({ words }) => `petstore-${words.join('-')}.1`),
      ...tree.topics.map(({ name }) => `petstore-${name}.7`),
    ].sort(),
  );
});

test('the page of a command has flags, examples and a link to its group', () => {
  const page = textOf('petstore-pets-list.1');
  expect(page).toMatch(/^\.TH PETSTORE-PETS-LIST 1 /);
  expect(page).toContain('.SH NAME\npetstore\\-pets\\-list \\- List pets (also: ls)\n');
  expect(page).toContain('.TP\n\\fB\\-s\\fR, \\fB\\-\\-status\\fR \\fIa,b\\fR\n');
  expect(page).toContain('petstore pets list \\-\\-status available,sold\n');
  expect(page).toContain('.BR petstore\\-pets (1),\n');
});

test('the page of a command has notes, and links to its commands and topics', () => {
  expect(textOf('petstore-limits.1')).toContain(
    'What is not known is "unknown". See: petstore help rate\\-limits\n.fi\n',
  );
  expect(textOf('petstore-limits.1')).toContain(
    '.SH SEE ALSO\n.BR petstore (1),\n.BR petstore\\-rate\\-limits (7),\n.BR petstore\\-exit\\-codes (7)\n',
  );
  expect(textOf('petstore-config.1')).toContain('.BR petstore\\-config\\-get (1),\n');
  expect(textOf('petstore-config.1')).toContain('.BR petstore\\-config (7),\n');
});

test('the page of the program has exit codes and variables', () => {
  expect(textOf('petstore.1')).toContain('.SH EXIT STATUS\n.TP\n.B 0\n');
  expect(textOf('petstore.1')).toContain('.B PETSTORE_API_KEY\n');
});

test.each(pages.map(({ file, text }) => [file, text] as const))(
  '%s has no line that roff would misread',
  (_, text) => {
    const known = /^\.(TH|SH|TP|B|I|BR|nf|fi)\b/;
    expect(text.split('\n').filter((line) => /^[.']/.test(line) && !known.test(line))).toEqual([]);
    expect(text.replace(/\\[-e&]|\\f[BIR]/g, '')).not.toContain('\\');
  },
);
