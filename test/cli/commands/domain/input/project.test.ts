import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { readDomainProject } from '../../../../../src/cli/commands/domain/input/project.js';
import { fakeContext } from '../../../../support/fake-context.js';
import { changeOwner } from '../../../../support/change-owner.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

const REDIRECT = { from: 'www.example.com', to: 'example.com', status: 301 };

const warn = vi.fn<(text: string) => void>();
beforeEach(() => warn.mockClear());

function readIn(currentDirectory: string, userId?: number) {
  const { context } = fakeContext({ currentDirectory, ...(userId === undefined ? {} : { userId }) });
  return readDomainProject({ context, warn });
}

const read = (content: object) => readIn(temporaryFolder({ 'petstore.config.json': content }));

test.skipIf(process.platform === 'win32')('warns of a project file of another user, and uses it', () => {
  const folder = temporaryFolder({ 'petstore.config.json': { target: 't.example' } });
  const path = join(folder, 'petstore.config.json');
  expect(readIn(folder, changeOwner(path))).toMatchObject({ target: 't.example' });
  expect(warn.mock.calls).toEqual([
    [`${path} sets the domains or redirects to check, but belongs to another user.`],
  ]);
});

test('does not warn about an own file, or one without domain entries', () => {
  read({ target: 't.example' });
  const folder = temporaryFolder({ 'petstore.config.json': { profile: 'shop' } });
  readIn(folder, changeOwner(join(folder, 'petstore.config.json')));
  expect(warn).not.toHaveBeenCalled();
});

test('reads all domain entries', () => {
  const content = {
    target: 't.example',
    plan: 'Pro',
    deployed: false,
    domains: ['a.example'],
    redirects: [REDIRECT],
  };
  expect(read(content)).toEqual({
    ...content,
    plan: 'pro',
    path: expect.stringMatching(/petstore\.config\.json$/),
  });
});

test('reads an empty file and a missing one', () => {
  expect(read({})).toMatchObject({ domains: [], redirects: [] });
  expect(readIn('/nowhere')).toEqual({ domains: [], redirects: [] });
});

test.each<[object, string]>([
  [{ target: 7 }, 'target'],
  [{ target: ' ' }, 'target'],
  [{ plan: 'gold' }, 'plan'],
  [{ deployed: 'yes' }, 'deployed'],
  [{ domains: 'a.example' }, 'domains'],
  [{ domains: ['a.example', 3] }, 'domains[1]'],
  [{ redirects: {} }, 'redirects'],
  [{ redirects: ['a'] }, 'redirects[0]'],
  [{ redirects: [REDIRECT, { ...REDIRECT, to: undefined }] }, 'redirects[1].to'],
  [{ redirects: [{ ...REDIRECT, status: '301' }] }, 'redirects[0].status'],
  [{ redirects: [{ ...REDIRECT, code: 301 }] }, 'redirects[0].code'],
  [{ redirects: [{ ...REDIRECT, '\n::x': 301 }] }, 'redirects[0]."^J::x"'],
])('rejects %j with the path of the field', (content, path) => {
  expect(() => read(content)).toThrow(`${path} in `);
});

test.each<[object, string, string, string]>([
  [
    { redirects: [{ ...REDIRECT, from: 'https://a.example/x' }] },
    ...(['redirects[0].from', '"https://a.example/x" is a URL', 'Did you mean "a.example"?'] as const),
  ],
  [
    { redirects: [REDIRECT, { ...REDIRECT, to: 'co.uk' }] },
    ...(['redirects[1].to', '"co.uk" is a public suffix', 'Enter the name of a host'] as const),
  ],
  [
    { target: 'cname.platform.example:443' },
    ...([
      'target',
      '"cname.platform.example:443" contains a port',
      'Did you mean "cname.platform.example"?',
    ] as const),
  ],
])('rejects an invalid name in %j with file, path and hint', (content, place, message, hint) => {
  const currentDirectory = temporaryFolder({ 'petstore.config.json': content });
  expect(() => readIn(currentDirectory)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(`${place} in ${currentDirectory}/petstore.config.json: ${message}`),
      hint: expect.stringContaining(hint),
    }),
  );
});

test('keeps an invalid domain, which gets a report next to those of the others', () => {
  const domains = ['a.example', 'b..example'];
  expect(readIn(temporaryFolder({ 'petstore.config.json': { domains } })).domains).toEqual(domains);
});
