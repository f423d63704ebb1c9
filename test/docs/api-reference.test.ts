import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/source-tree.js';
import { checkIfChanged } from '../support/unchanged-inputs.js';

const FOLDER = join(ROOT, 'docs/api');
const ENTRY_POINTS = ['index', 'bulk/index', 'domain/index', 'mock/index', 'mock/msw'].map((name) =>
  join(ROOT, `src/${name}.ts`),
);

/** `vitest run --update` writes the pages. */
test('the API reference comes from the docstrings', { timeout: 120_000 }, () =>
  checkIfChanged('api-reference', ['docs/api', 'test/docs/api-reference.test.ts'], async () => {
    const pages = await generate();
    expect(Object.keys(pages)).toContain('README.md');
    const committed = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
    expect(committed.filter((name) => name.endsWith('.md') && pages[name] === undefined)).toEqual([]);
    for (const [name, text] of Object.entries(pages)) {
      await expect(text).toMatchFileSnapshot(join(FOLDER, name));
    }
  }),
);

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
