import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { explainConfigError, readConfigFile } from '../../../src/cli/config/config-files.js';
import { configSchema, projectSchema } from '../../../src/cli/config/config-schema.js';
import { ROOT } from '../../support/source-tree.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('docs/petstore.config.schema.json is generated: npx vitest run --update writes it', async () => {
  const path = join(ROOT, 'docs/petstore.config.schema.json');
  const schema = JSON.stringify(z.toJSONSchema(projectSchema, { target: 'draft-7' }));
  const options = await resolveConfig(path);
  await expect(await format(schema, { ...options, filepath: path })).toMatchFileSnapshot(path);
});

// The check at start-up does without zod, so it could differ from the schema.
test.each<unknown>([
  {},
  { profile: 'shop' },
  { profile: 7 },
  { profile: null },
  { other: 1 },
  { profiles: {} },
  { profiles: [] },
  { profiles: null },
  { profiles: { shop: null } },
  { profiles: { shop: {} } },
  { profiles: { shop: { baseUrl: 'x', stagingUrl: 'y', output: 'json', color: 'auto', keyIn: 'file' } } },
  { profiles: { shop: { trustedUrls: ['x'] } } },
  { profiles: { shop: { trustedUrls: 'x' } } },
  { profiles: { shop: { trustedUrls: [7] } } },
  ...['baseUrl', 'stagingUrl', 'output', 'color', 'keyIn', 'other', 'constructor', 'toString'].map(
    (name) => ({
      profiles: { shop: { [name]: 7 } },
    }),
  ),
  ...['output', 'color', 'keyIn', '__proto__'].map((name) => ({ profiles: { shop: { [name]: 'other' } } })),
  { trustedUrls: ['x'] },
  { trustedUrls: 'x' },
  [],
  'text',
])('the start-up check and the schema agree on %j', async (content) => {
  const folder = temporaryFolder({ 'config.json': JSON.stringify(content) });
  const env = { PETSTORE_CONFIG_DIR: folder };
  const read = () => readConfigFile({ env, homeDirectory: '/', platform: 'linux', userId: undefined });
  if (configSchema.safeParse(content).success) {
    expect(read()).toMatchObject(content as object);
    return;
  }
  let error: unknown;
  try {
    read();
  } catch (thrown) {
    error = await explainConfigError(thrown);
  }
  expect(error).toMatchObject({ name: 'UsageError', message: expect.stringMatching(/ in |must be/) });
});
