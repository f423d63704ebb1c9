import { expect, test } from 'vitest';
import { completionSources } from '../../../src/cli/completion/completion-sources.js';
import { storeSeenPets } from '../../../src/cli/completion/seen-pets.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function sourcesIn(folder: string, config = folder): ReturnType<typeof completionSources> {
  const env = { PETSTORE_CONFIG_DIR: config, PETSTORE_STATE_DIR: `${folder}/state` };
  return completionSources({ env, homeDirectory: folder, platform: 'linux', currentDirectory: folder });
}

test('are the profiles, the domains of the project and the animals that were shown', async () => {
  const folder = temporaryFolder({
    'config.json': { profiles: { shop: {} } },
    'petstore.config.json': { domains: ['shop.example.com'] },
  });
  const env = { PETSTORE_STATE_DIR: `${folder}/state` };
  storeSeenPets([{ id: 7n, name: 'Rex' }], { env, homeDirectory: folder, platform: 'linux' });
  const sources = sourcesIn(folder);
  expect(await sources.profiles()).toEqual(['shop']);
  expect(await sources.domains()).toEqual(['shop.example.com']);
  expect(await sources.pets()).toEqual([{ value: '7', summary: 'Rex' }]);
});

test('are no words that a shell would run, or take for a flag', async () => {
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
  expect(await sources.domains()).toEqual(['münchen.example', 'b.example']);
});

test('are empty where there is nothing, and where it is broken', async () => {
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
    expect(await sources.domains()).toEqual([]);
    expect(await sources.pets()).toEqual([]);
  }
});

test('are not looked for in a file so large that the prompt would wait for it', async () => {
  const domains = ['shop.example.com', 'x'.repeat(600_000)];
  const config = { profiles: { shop: { baseUrl: `https://${'x'.repeat(600_000)}` } } };
  const folder = temporaryFolder({
    'config.json': config,
    'petstore.config.json': { domains },
    'below/x': '',
  });
  for (const place of [folder, `${folder}/below`]) {
    const sources = sourcesIn(place, folder);
    expect(await sources.profiles()).toEqual([]);
    expect(await sources.domains()).toEqual([]);
  }
});

test('are those of the nearest project, whatever lies above it', async () => {
  const folder = temporaryFolder({
    'petstore.config.json': { domains: ['x'.repeat(600_000)] },
    'below/petstore.config.json': { domains: ['shop.example.com'] },
    'below/further/x': '',
  });
  expect(await sourcesIn(`${folder}/below/further`).domains()).toEqual(['shop.example.com']);
});
