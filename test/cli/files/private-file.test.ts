import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ensurePrivateDirectory,
  removeDrafts,
  writePrivateFile,
} from '../../../src/cli/files/private-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a private directory', () => {
  test('is made with what is missing above it', () => {
    const path = join(temporaryFolder(), 'a', 'b');
    ensurePrivateDirectory(path);
    expect(modeOf(path)).toBe(0o700);
  });

  test('is tightened where it is open', () => {
    const path = join(temporaryFolder(), 'open');
    mkdirSync(path);
    chmodSync(path, 0o755);
    ensurePrivateDirectory(path);
    expect(modeOf(path)).toBe(0o700);
  });

  test('is not made where a file stands', () => {
    const folder = temporaryFolder({ taken: '' });
    expect(() => {
      ensurePrivateDirectory(join(folder, 'taken'));
    }).toThrow('EEXIST');
  });
});

describe('a private file', () => {
  test('is readable by its owner alone, and replaces what was there', () => {
    const path = join(temporaryFolder(), 'state', 'file.json');
    writePrivateFile(path, 'old');
    writePrivateFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(modeOf(path)).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['file.json']);
  });

  test('leaves a directory as open as it is: others may need it', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    writePrivateFile(join(folder, 'file'), 'text');
    expect(modeOf(folder)).toBe(0o755);
    expect(modeOf(join(folder, 'file'))).toBe(0o600);
  });

  test('takes the place of a link and leaves its target alone', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'target'), 'theirs');
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    writePrivateFile(join(folder, 'link'), 'ours');
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('theirs');
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('ours');
  });

  test('leaves no draft behind when it fails', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'taken', 'full'), { recursive: true });
    expect(() => {
      writePrivateFile(join(folder, 'taken'), 'text');
    }).toThrow();
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});

test('drafts that were left are removed, and nothing else', () => {
  const folder = temporaryFolder({ '.12.345.tmp': '', '.hidden.tmp': '', 'a.tmp': '', '.12.tmp': '' });
  removeDrafts(folder);
  expect(readdirSync(folder).sort()).toEqual(['.12.tmp', '.hidden.tmp', 'a.tmp']);
  removeDrafts(join(folder, 'absent'));
});
