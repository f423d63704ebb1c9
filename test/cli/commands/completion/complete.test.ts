import { describe, expect, test } from 'vitest';
import { readCommandTree } from '../../../../src/cli/program/read-command-tree.js';
import { complete, type Sources } from '../../../../src/cli/commands/completion/complete.js';

const tree = await readCommandTree();

const sources: Sources = {
  profiles: () => Promise.resolve(['shop', 'staging']),
  pets: () =>
    Promise.resolve([
      { value: '9007199254740993', summary: 'Rex' },
      { value: '7', summary: 'Mia' },
    ]),
  hosts: (kind) => Promise.resolve([`shop.${kind}.test`]),
};

/** The values for the last word of a line, which can be empty. */
async function valuesAt(line: string): Promise<readonly string[] | 'files'> {
  const words = line.split(' ');
  const completion = await complete(tree, words.slice(0, -1), words.at(-1) ?? '', sources);
  return completion === 'files' ? completion : completion.map(({ value }) => value);
}

describe('words', () => {
  test.each([
    ['pe', ['pets']],
    ['config ', ['get', 'set', 'unset', 'list', 'path']],
    ['--profile shop pets g', ['get']],
    ['-o json pets cr', ['create']],
    ['pets list nothing-more', []],
    ['constructor ', []],
  ])('%s|', async (line, values) => {
    expect(await valuesAt(line)).toEqual(values);
  });
});

describe('flags', () => {
  test.each([
    ['pets list --st', ['--status', '--staging']],
    ['pets ls --st', ['--status', '--staging']],
    ['pets list --category-id 7 --ca', ['--ca']],
    ['--st', ['--staging']],
    ['pets list --status sold --st', ['--staging']],
    ['mock --fault flaky --fau', ['--fault']],
    ['pets list -- --st', []],
  ])('%s|', async (line, values) => {
    expect(await valuesAt(line)).toEqual(values);
  });
});

describe('values', () => {
  test.each([
    ['pets list --status ', ['available', 'pending', 'sold']],
    ['pets list --category-id ', []],
    ['pets list --status sold,', ['sold,available', 'sold,pending']],
    ['pets list --status=pending,sold,a', ['--status=pending,sold,available']],
    ['pets create --status sold,', []],
    ['pets list --status=s', ['--status=sold']],
    ['pets list --status=', ['--status=available', '--status=pending', '--status=sold']],
    ['-o n', ['ndjson']],
    ['--output=y', ['--output=yaml']],
    ['domain records -o t', ['table', 'tsv']],
    ['domain verify --output=m', ['--output=markdown']],
    ['pets export -o ', ['csv', 'ndjson', 'json', 'tsv', 'yaml']],
    ['--profile s', ['shop', 'staging']],
    ['pets list --json n', ['name']],
    ['pets list --fields id,name,c', ['id,name,category']],
    ['pets list --sort -i', ['-id']],
    ['auth list --sort p', ['profile']],
    ['auth list --fields profile,b', ['profile,baseUrl']],
    ['config list --json ', ['key', 'value', 'origin']],
    ['limits --json re', ['remaining', 'reset', 'resetInSeconds', 'retryInSeconds', 'retryAfterSeconds']],
    ['domain verify --fields s', ['state']],
    ['domain verify --json s', ['state']],
    ['domain verify --json e', ['expected', 'estimate']],
    ['domain verify --fields e', []],
    ['domain verify -o yaml --fields e', ['expected', 'estimate']],
    ['domain verify --output=json --fields=e', ['--fields=expected', '--fields=estimate']],
    ['-o json domain verify --sort e', ['expected', 'estimate']],
    ['doctor -o ndjson --fields st', ['state']],
    ['doctor -o json --fields ', ['checks', 'ok']],
    ['doctor -o csv --fields st', ['state']],
    ['completion --fields ', []],
    ['--fields ', []],
    ['pets get ', ['9007199254740993', '7']],
    ['pets get 7 ', []],
    ['domain verify ', ['shop.domain.test']],
    ['domain verify other.example shop', ['shop.domain.test']],
    ['domain cert --mock mis', ['missing.example.test', 'missing-dot.example.test']],
    ['--mock domain redirects www', ['www.example.test']],
    ['domain redirects --mock mis', []],
    ['domain redirects ', ['shop.redirect.test']],
    ['config set output y', ['yaml']],
    ['config set color ', ['auto', 'always', 'never']],
    ['config set profile ', ['shop', 'staging']],
    ['config set baseUrl ', []],
    ['mock --plan b', ['business']],
    ['pets import pets.csv --on-unknown a', ['accept-listed']],
    ['help rate', ['rate-limits']],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell', 'install']],
    ['completion install ', ['bash', 'zsh', 'fish', 'powershell']],
    ['pets list --limit ', []],
    ['pets list --unknown ', []],
    ['pets create --file ', 'files'],
    ['pets create -f ', 'files'],
    ['pets create --file=', 'files'],
  ])('%s|', async (line, values) => {
    expect(await valuesAt(line)).toEqual(values);
  });
});
