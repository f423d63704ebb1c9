import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-tree.js';

/** A page of the documentation. */
export interface Page {
  /** Path from the root, such as `docs/import.md`. */
  path: string;
  text: string;
}

/** A fenced code block. */
export interface CodeBlock {
  page: string;
  /** Line of the fence, counted from 1. */
  line: number;
  language: string;
  code: string;
}

/** The pages for users: the README and docs. The generated reference is left out. */
export function readPages(): Page[] {
  const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => `docs/${name}`)].map(readPage);
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

export function codeBlocksOf({ path, text }: Page): CodeBlock[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: code = '' }) => ({
    page: path,
    line: text.slice(0, index).split('\n').length,
    language,
    code,
  }));
}

/** Link targets outside of code blocks. Links to other sites are left out, because tests stay on this machine. */
export function linksOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}
