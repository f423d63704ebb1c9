import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { RenderedReport } from '../../../../../src/cli/commands/domain/next-commands.js';
import { BUILT_IN_NAMES } from '../../../../../src/mock/index.js';
import { runFake } from '../../../../support/fake-context.js';
import { closedPort } from '../../../../support/loopback-port.js';
import { ROOT } from '../../../../support/source-tree.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { serveDns, TARGET } from '../served-dns.js';
import { outputSchema, reportSchema } from './report-schema.js';

test('docs/domain-report.schema.json is generated: npx vitest run --update writes it', async () => {
  const path = join(ROOT, 'docs/domain-report.schema.json');
  const schema = z.toJSONSchema(outputSchema, {
    target: 'draft-7',
    // Later versions may add fields.
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
  const options = await resolveConfig(path);
  await expect(await format(JSON.stringify(schema), { ...options, filepath: path })).toMatchFileSnapshot(
    path,
  );
});

test('the schema has every field of the type', () => {
  expectTypeOf<keyof z.infer<typeof reportSchema>>().toEqualTypeOf<keyof RenderedReport>();
});

test('the report of every name of the mock is valid', { timeout: 60_000 }, async () => {
  const names = BUILT_IN_NAMES.map(({ name }) => name).join(' ');
  const { stdout } = await runFake(`--mock domain verify ${names} --json`);
  const document = outputSchema.parse(JSON.parse(stdout));
  expect('domains' in document && document.domains).toHaveLength(BUILT_IN_NAMES.length);
  const [first] = 'domains' in document ? document.domains : [];
  expect(reportSchema.safeParse({ ...first, extra: 1 }).success).toBe(false);
});

test('a report with certificate and redirects is valid', async () => {
  await using dns = await serveDns();
  const port = String(await closedPort());
  const currentDirectory = temporaryFolder({
    'petstore.config.json': {
      target: TARGET,
      redirects: [{ from: 'www.example.test', to: 'shop.example.test', status: 301 }],
    },
  });
  const probe = ['--connect', '127.0.0.1', '--https-port', port, '--http-port', port];
  const line = ['domain', 'verify', 'shop.example.test', '--json', ...dns.flags, ...probe];
  const { stdout } = await runFake(line, { currentDirectory });
  const report = reportSchema.parse(JSON.parse(stdout));
  expect(report.certificate?.addresses).toHaveLength(1);
  expect(report.redirects).toHaveLength(1);
});

test('the report of a name that the flags do not fit is valid', async () => {
  const { stdout } = await runFake('--mock domain verify --subdomain example.test --json');
  expect(reportSchema.parse(JSON.parse(stdout)).state).toBe('invalid');
});
