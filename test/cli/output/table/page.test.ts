import { expect, test } from 'vitest';
import { createPage } from '../../../../src/cli/output/table/page.js';

const STYLE = { stdout: { isTTY: true, width: 20, colorLevel: 0 as const }, now: 0 };

test('separates headings, and wraps text and commands', async () => {
  const page = await createPage(STYLE, []);
  page.gap();
  page.heading('First');
  page.text('words that go on and on', { first: '- ', rest: '  ' });
  page.gap();
  page.heading('Second');
  page.command('run --flag value --other', '  ');
  page.table([{ a: 'x' }, { a: 'y' }], [{ field: 'a', header: 'a' }], '  ');
  expect(page.toString()).toBe(
    [
      ...['First', '- words that go on', '  and on', ''],
      ...['Second', '  run --flag value \\', '    --other', '  A', '  x', '  y', ''],
    ].join('\n'),
  );
});

test('shows control characters instead of sending them', async () => {
  const page = await createPage(STYLE, '\u001b');
  page.text('a\u001b[31mb');
  page.command('dig a\u0007b', '');
  page.table([{ a: '\u001b[2J' }], [{ field: 'a', header: 'a' }], '');
  expect(page.toString()).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
});

test('colours only the lead, and counts no columns for it', async () => {
  const page = await createPage({ ...STYLE, stdout: { ...STYLE.stdout, colorLevel: 1 } }, []);
  page.text('done: and more words', { lead: 'done', style: 'green' });
  expect(page.toString()).toBe('\u001b[32mdone\u001b[39m: and more words\n');
});
