import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeReadyFile, writeReadyFile } from '../../../../src/cli/commands/mock/ready-file.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test('writes JSON, and tolerates a file that is already removed', () => {
  const folder = temporaryFolder();
  const { context } = fakeContext({ currentDirectory: folder });
  const address = {
    pid: 1,
    id: 'x',
    url: 'http://127.0.0.1:1',
    baseUrl: 'http://127.0.0.1:1/v1',
    port: 1,
    keys: ['k'],
  };
  writeReadyFile('r.json', address, context);
  expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toEqual(address);
  removeReadyFile('r.json', address, context);
  removeReadyFile('r.json', address, context);
  expect(existsSync(join(folder, 'r.json'))).toBe(false);
});

test.each(['{"pid":1,"id":"y"}', '{"pid":2,"id":"x"}', 'null', 'my notes', ''])(
  'keeps a file of another mock or another kind: %s',
  (content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'r.json'), content);
    removeReadyFile('r.json', { pid: 1, id: 'x' }, fakeContext({ currentDirectory: folder }).context);
    expect(readFileSync(join(folder, 'r.json'), 'utf8')).toBe(content);
  },
);
