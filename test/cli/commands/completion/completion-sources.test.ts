import { expect, test } from 'vitest';
import { completionSources } from '../../../../src/cli/commands/completion/completion-sources.js';
import { storeSeenPets } from '../../../../src/cli/commands/completion/seen-pets.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

function sourcesIn(folder: string, config = folder): ReturnType<typeof completionSources> {
  const env = { PETSTORE_CONFIG_DIR: config, PETSTORE_STATE_DIR: `${folder}/state` };
  return completionSources({ env, homeDirectory: folder, platform: 'linux', currentDirectory: folder });
}

test('offer profiles, domains of the project and pets shown before', async () => {
  const folder = temporaryFolder({
    'config.json': { profiles: { shop: {} } },
    'petstore.config.json': {
      domains: ['shop.example.com'],
      redirects: [null, {}, { from: '$(x)' }, { from: 'www.example.com' }],
    },
  });
  const env = { PETSTORE_STATE_DIR: `${folder}/state` };
  storeSeenPets([{ id: 7n, name: 'Rex' }], { env, homeDirectory: folder, platform: 'linux' });
  const sources = sourcesIn(folder);
  expect(await sources.profiles()).toEqual(['shop']);
  expect(await sources.hosts('domain')).toEqual(['shop.example.com']);
  expect(await sources.hosts('redirect')).toEqual(['www.example.com']);
  expect(await sources.pets()).toEqual([{ value: '7', summary: 'Rex' }]);
});

test('offer no words that a shell would run or read as a flag', async () => {
  const domains = [
    '--ca=/tmp/x',
    'x;touch y',
    '$(touch y)',
    'a\u202eb',
    7,
    'münchen.example',
    '-x',
    'b.example',
  ];
  const sources = sourcesIn(temporaryFolder({ 'petstore.config.json': { domains } }));
  expect(await sources.hosts('domain')).toEqual(['münchen.example', 'b.example']);
});

test('offer nothing if files are missing or damaged', async () => {
  for (const folder of [
    temporaryFolder(),
    temporaryFolder({
      'config.json': '{',
      'petstore.config.json': '{"domains": 7}',
      'state/seen-pets.json': '{"a": 1}',
    }),
  ]) {
    const sources = sourcesIn(folder);
    expect(await sources.profiles()).toEqual([]);
    expect(await sources.hosts('domain')).toEqual([]);
    expect(await sources.pets()).toEqual([]);
  }
});

test('do not read files that are too large for a prompt', async () => {
  const domains = ['shop.example.com', 'x'.repeat(600_000)];
  const config = { profiles: { shop: { baseUrl: `https://${'x'.repeat(600_000)}` } } };
  const folder = temporaryFolder({
    'config.json': config,
    'petstore.config.json': { domains },
    'below/x': '',
  });
  for (const directory of [folder, `${folder}/below`]) {
    const sources = sourcesIn(directory, folder);
    expect(await sources.profiles()).toEqual([]);
    expect(await sources.hosts('domain')).toEqual([]);
  }
});

test('read only the nearest project file', async () => {
  const folder = temporaryFolder({
    'petstore.config.json': { domains: ['x'.repeat(600_000)] },
    'below/petstore.config.json': { domains: ['shop.example.com'] },
    'below/further/x': '',
  });
  expect(await sourcesIn(`${folder}/below/further`).hosts('domain')).toEqual(['shop.example.com']);
});
