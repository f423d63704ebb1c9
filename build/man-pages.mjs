/** Writes the manual pages to dist/man, from the built command tree and the help topics. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const tree = JSON.parse(readFileSync('dist/cli/command-tree.json', 'utf8'));
// The writer and the topics are TypeScript.
const script = resolve('dist/man-pages.mjs');
await build({
  entryPoints: ['build/man-page.ts'],
  bundle: true,
  format: 'esm',
  loader: { '.html': 'empty' },
  logLevel: 'error',
  outfile: script,
  platform: 'node',
  target: 'node20',
});
try {
  const { manPages, topicTexts } = await import(pathToFileURL(script).href);
  for (const { file, text } of manPages(tree, await topicTexts())) {
    const folder = join('dist/man', `man${file.slice(-1)}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), text);
  }
} finally {
  rmSync(script);
}
