import { expect, test } from 'vitest';
import { createPage } from '../../../../src/cli/output/table/page.js';

const STYLE = { stdout: { isTTY: true, width: 20, colorLevel: 0 as const }, now: 0 };

test('shows control characters instead of sending them', async () => {
  const page = await createPage(STYLE, '\u001b');
  page.text('a\u001b[31mb');
  page.command('dig a\u0007b', '');
  page.table([{ a: '\u001b[2J' }], [{ field: 'a', header: 'a' }], '');
  expect(page.toString()).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
});
