import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, transform, type Metafile } from 'esbuild';

const FOLDER = resolve('src/mock/ui');

/** The file that is imported as the built page. */
export const PAGE_FILE = /[\\/]src[\\/]mock[\\/]ui[\\/]page\.html$/;

export interface BundledPage {
  /** An ES module with the page and its content security policy. */
  module: string;
  metafile: Metafile;
}

/** Bundles the page of the mock into one HTML text: script and style are inline, and allowed by their hashes. */
export async function bundlePage(): Promise<BundledPage> {
  const [template, style, { outputFiles, metafile }] = await Promise.all([
    readFile(join(FOLDER, 'page.html'), 'utf8'),
    readFile(join(FOLDER, 'page.css'), 'utf8').then(async (css) =>
      transform(css, { loader: 'css', minify: true, target: 'chrome120' }),
    ),
    build({
      entryPoints: [join(FOLDER, 'main.ts')],
      bundle: true,
      charset: 'utf8',
      format: 'iife',
      legalComments: 'none',
      metafile: true,
      minify: true,
      target: 'es2022',
      write: false,
    }),
  ]);
  const script = outputFiles.map(({ text }) => text.trim()).join('');
  const css = style.code.trim();
  // Functions, because "$" has a meaning in a replacement text.
  const html = template
    .replace('</head>', () => `<style>${css}</style></head>`)
    .replace('</body>', () => `<script>${script}</script></body>`);
  const module = [
    `export const html = ${JSON.stringify(html)};`,
    `export const contentSecurityPolicy = ${JSON.stringify(policyOf(script, css))};`,
  ];
  return { module: module.join('\n'), metafile };
}

/** Trusted types reject text as markup, also where a future version of a package would do it. */
function policyOf(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
