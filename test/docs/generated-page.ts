import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect } from 'vitest';
import { readPage } from '../support/pages.js';
import { ROOT } from '../support/source-tree.js';

/**
 * Compares the blocks of a page between `<!-- generated: KIND NAME -->` and `<!-- end -->`. `vitest run --update` writes
 * the page.
 */
export async function expectCurrentBlocks(
  page: string,
  blockOf: (kind: string, name: string) => string | Promise<string>,
): Promise<void> {
  const { text } = readPage(page);
  const blocks = text.split(/(?<=<!-- generated: [\w-]+ ?[\w, -]*? -->\n).*?(?=<!-- end -->)/s);
  const names = [...text.matchAll(/<!-- generated: ([\w-]+) ?([\w, -]*?) -->\n/g)];
  // `npm run lint` checks the format of the rest, which takes much longer.
  const made = await Promise.all(
    names.map(async ([, kind = '', name = '']) => `\n${await formatPage(page, await blockOf(kind, name))}\n`),
  );
  const current = blocks.map((block, index) => block + (made[index] ?? '')).join('');
  await expect(current).toMatchFileSnapshot(join(ROOT, page));
}

export async function formatPage(page: string, text: string, parser = 'markdown'): Promise<string> {
  return format(text, { ...(await resolveConfig(join(ROOT, page))), parser });
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const escaped = rows.map((cells) => line(cells.map((cell) => cell.replaceAll('|', '\\|'))));
  return [line(head), line(head.map(() => '---')), ...escaped].join('\n');
}
