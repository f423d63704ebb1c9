import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { linksOf, readPage, readPages } from '../support/pages.js';
import { ROOT } from '../support/source-tree.js';

const MORE = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const OTHERS = ['bench/RESULTS.md', 'examples/README.md'];
const reference = readdirSync(join(ROOT, 'docs/api'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/api/${name}`);
const pages = [...readPages(), ...[...MORE, ...OTHERS, ...reference].map(readPage)];
const anchors = new Map<string, ReadonlySet<string>>();

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

function resolves(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = join(ROOT, path === '' ? from : normalize(join(dirname(from), path)));
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  if (!anchors.has(file)) anchors.set(file, anchorsOf(readFileSync(file, 'utf8')));
  return anchors.get(file)!.has(anchor);
}

/** The anchors that GitHub gives to headings, with a number for repeated ones, and those of `<a id="…">`. */
function anchorsOf(text: string): ReadonlySet<string> {
  const found = new Set([...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id));
  const counts = new Map<string, number>();
  for (const [, heading = ''] of text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)) {
    const name = heading
      .replaceAll('`', '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    found.add(count === 0 ? name : `${name}-${String(count)}`);
  }
  return found;
}
