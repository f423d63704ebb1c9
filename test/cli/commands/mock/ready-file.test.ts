import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeReadyFile } from '../../../../src/cli/commands/mock/ready-file.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test.each(['{"pid":1,"id":"y"}', '{"pid":2,"id":"x"}', 'null', 'my notes', ''])(
  'keeps a file of another mock or another kind: %s',
  (content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'r.json'), content);
    removeReadyFile('r.json', { pid: 1, id: 'x' }, fakeContext({ currentDirectory: folder }).context);
    expect(readFileSync(join(folder, 'r.json'), 'utf8')).toBe(content);
  },
);
