import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leftOutNote, readReplayFile } from '../../../../src/cli/commands/mock/replay-file.js';
import { createMock } from '../../../../src/mock/index.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** HAR files in the form that each program writes. */
const FOLDER = join(import.meta.dirname, '../../../corpus/har');
const BASE_URL = 'http://mock.test/v1/pets';

function replaying(file: string, currentDirectory = FOLDER) {
  const mock = createMock({ replay: readReplayFile(file, fakeContext({ currentDirectory }).context) });
  const load = async (url: string, init?: RequestInit) => {
    try {
      const response = await mock.fetch(url, init);
      return `${String(response.status)} ${await response.text()}`;
    } catch (error) {
      return (error as Error).message;
    }
  };
  return { mock, load };
}

const NO_BODY = /^501 .*no recorded body/;
const TWO = /^501 .*condition/;
const LIST = readFileSync(join(FOLDER, 'list.json'), 'utf8');
const CREATED = readFileSync(join(FOLDER, 'created.json'), 'utf8');

test.each<[file: string, leftOut: string | undefined, listed: string | RegExp, second?: RegExp]>([
  ['chromium-156-devtools.har', '2 of 8 entries (not HTTP: 1, no recorded body: 1)', LIST, TWO],
  ['firefox-153.har', undefined, LIST],
  ['playwright-1.65-embed.har', '1 of 5 entries (no recorded body: 1)', LIST, NO_BODY],
  ['playwright-1.65-attach.har', '1 of 5 entries (body in another file: 1)', LIST, /body in another file/],
  ['playwright-1.65-omit.har', '2 of 3 entries (no recorded body: 1, no recorded request body: 1)', NO_BODY],
  ['mitmproxy-8.1.har', undefined, LIST],
])('%s is replayed as it is', async (file, leftOut, listed, second = /no entry/) => {
  const { mock, load } = replaying(file);
  const note = leftOutNote('X', mock.state());
  expect(note?.replace(" in X can't be replayed", '').replace('. Requests for them get 501.', '')).toBe(
    leftOut,
  );
  const isWhole = typeof listed === 'string';
  expect(await load(`${BASE_URL}?limit=1`)).toEqual(
    isWhole ? `200 ${listed}` : expect.stringMatching(listed),
  );
  expect(await load(`${BASE_URL}?limit=2`)).toMatch(second);
  const body = readFileSync(join(FOLDER, 'create.json'), 'utf8');
  const created = await load(BASE_URL, { method: 'POST', body });
  expect(created).toEqual(isWhole ? `201 ${CREATED}` : expect.stringMatching(/no recorded request body/));
  // Only mitmproxy has no aborted request.
  expect(await load(`${BASE_URL}?limit=3`)).toMatch(file.startsWith('mitm') ? /no entry/ : /^fetch failed$/);
  if (!isWhole) return;
  const image = await mock.fetch('http://mock.test/logo.png');
  expect(Buffer.from(await image.arrayBuffer())).toEqual(readFileSync(join(FOLDER, 'logo.png')));
});

test('a body is never read outside the folder of the recording', async () => {
  const names = ['../key.json', 'link.json', 'folder', 'a\0b'];
  const entries = names.map((name, index) => ({
    request: { method: 'GET', url: `https://pets.example/${String(index)}` },
    response: { status: 200, headers: [], content: { size: 6, _file: name } },
  }));
  const files = { 'key.json': 'secret', 'har/r.har': { log: { entries } }, 'har/folder/a': '' };
  const folder = join(temporaryFolder(files), 'har');
  symlinkSync('../key.json', join(folder, 'link.json'));
  const { load } = replaying('r.har', folder);
  for (const index of names.keys())
    expect(await load(`http://mock.test/${String(index)}`)).toMatch(/^501 .*body in another file/);
});

test('a zip archive of Playwright is named as one', () => {
  const folder = temporaryFolder({ 'r.zip': 'PK\x03\x04\x14\0' });
  expect(() => replaying('r.zip', folder)).toThrow('r.zip is a zip archive, not a HAR file');
});
