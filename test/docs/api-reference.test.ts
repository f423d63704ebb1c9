import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { requireBuild } from '../support/built.js';
import { filesBelow, ROOT } from '../support/source-tree.js';

const FOLDER = join(ROOT, 'docs/api');
/** The digest of declarations and pages that agreed in an earlier run: typedoc takes a quarter of a minute of CPU. */
const AGREED = join(ROOT, 'node_modules/.cache/petstore/api-reference');
const ENTRY_POINTS = ['index', 'bulk/index', 'domain/index', 'mock/index', 'mock/msw'].map((name) =>
  join(ROOT, `src/${name}.ts`),
);

/** `vitest run --update` writes the pages. */
test('the API reference comes from the docstrings', { timeout: 120_000 }, async () => {
  requireBuild();
  if (existsSync(AGREED) && readFileSync(AGREED, 'utf8') === digest()) return;
  const pages = await generate();
  expect(Object.keys(pages)).toContain('README.md');
  const committed = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  expect(committed.filter((name) => name.endsWith('.md') && pages[name] === undefined)).toEqual([]);
  for (const [name, text] of Object.entries(pages)) {
    await expect(text).toMatchFileSnapshot(join(FOLDER, name));
  }
  mkdirSync(dirname(AGREED), { recursive: true });
  writeFileSync(AGREED, digest());
});

/** Of what the pages come from: the declarations of the build with their docstrings, the packages, and the pages. */
function digest(): string {
  const files = [
    ...filesBelow('dist').filter((path) => path.endsWith('.d.ts')),
    ...filesBelow('docs/api'),
    'package-lock.json',
    'test/docs/api-reference.test.ts',
  ];
  const hash = createHash('sha256');
  for (const path of files) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

/** Options of typedoc-plugin-markdown, which the types of typedoc do not know. */
const MARKDOWN_OPTIONS = {
  entryFileName: 'README',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  outputFileStrategy: 'modules',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  parametersFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
};

async function generate(): Promise<Record<string, string>> {
  const { Application } = await import('typedoc');
  const application = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: ENTRY_POINTS,
    tsconfig: join(ROOT, 'tsconfig.json'),
    // The checks of the project have compiled it already.
    skipErrorChecking: true,
    readme: 'none',
    disableSources: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    hideGenerator: true,
    logLevel: 'Error',
    ...MARKDOWN_OPTIONS,
  });
  // Compiles what the entry points import, not the tests.
  const { options } = application;
  options.setCompilerOptions(ENTRY_POINTS, options.getCompilerOptions(application.logger), undefined);
  const project = await application.convert();
  if (project === undefined) throw new Error('typedoc could not read the sources');
  const output = mkdtempSync(join(tmpdir(), 'petstore-api-'));
  try {
    await application.outputs.writeOutput({ name: 'markdown', path: output }, project);
    const names = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    return Object.fromEntries(
      names.map((name) => [name, fixAnchors(readFileSync(join(output, name), 'utf8'))]),
    );
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** The plug-in links some headings as the second of their name, although the page has only one. */
function fixAnchors(text: string): string {
  return text.replaceAll(/\(#(\w+)-1\)/g, (link, name: string) => {
    const headings = [...text.matchAll(new RegExp(`^#+ ${name}(?:\\(\\))?$`, 'gim'))];
    return headings.length === 1 ? `(#${name})` : link;
  });
}
