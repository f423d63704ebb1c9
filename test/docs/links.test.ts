import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { readPage, readPages, type Page } from '../support/pages.js';
import { ROOT } from '../support/source-tree.js';

const MORE = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const pages = [...readPages(), ...MORE.map(readPage)];

test.each(pages.map((page) => [page.path, page] as const))('links of %s resolve', (_, page) => {
  const broken = linksOf(page).filter((link) => !resolves(page.path, link));
  expect(broken).toEqual([]);
});

test('the README links every page of docs', () => {
  const linked = linksOf(readPage('README.md'));
  expect(readPages().map(({ path }) => path)).toSatisfy((paths: string[]) =>
    paths.every((path) => path === 'README.md' || linked.includes(path)),
  );
});

/** Link targets outside of code blocks. Links to other sites are left out, because tests stay on this machine. */
function linksOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function resolves(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = join(ROOT, path === '' ? from : normalize(join(dirname(from), path)));
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
