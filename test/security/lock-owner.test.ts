import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, test, vi } from 'vitest';
import { createOwnerName, ownerOf, stateOfOwner } from '../../src/security/lock-owner.js';

describe.skipIf(process.platform !== 'linux')('the state of an owner', () => {
  const own = (): string[] => createOwnerName().split('_');

  test('is known in the same boot and namespaces only', () => {
    const [machine = '', pid = '', start = '', random = ''] = own();
    const name = (...parts: string[]): string => [...parts, random].join('_');
    expect(stateOfOwner(name(machine, pid, start))).toBe('alive');
    expect(stateOfOwner(name(machine, pid, String(Number(start) + 1)))).toBe('dead');
    expect(stateOfOwner(name(machine, '4194305', start))).toBe('dead');
    expect(stateOfOwner(name('', '4194305', start))).toBe('unknown');
    expect(stateOfOwner(name(`${machine}0`, '4194305', start))).toBe('unknown');
    // An owner that could not read its start time.
    expect(stateOfOwner(name(machine, pid, ''))).toBe('unknown');
  });

  test('is unknown if its start time can not be read, and dead without a process', () => {
    const [machine = '', pid = '', start = '', random = ''] = own();
    const read = fs.readFileSync;
    const spy = vi.spyOn(fs, 'readFileSync').mockImplementation(((path: string, encoding: 'latin1') => {
      if (path.endsWith('/stat')) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
      return read(path, encoding);
    }) as typeof read);
    syncBuiltinESMExports();
    try {
      expect(createOwnerName().split('_')[2]).toBe('');
      expect(stateOfOwner([machine, pid, start, random].join('_'))).toBe('unknown');
      expect(stateOfOwner([machine, '4194305', start, random].join('_'))).toBe('dead');
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
  });

  test('is unknown where the namespaces can not be read', () => {
    const spy = vi.spyOn(fs, 'readlinkSync').mockImplementation(() => {
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    });
    const name = createOwnerName();
    syncBuiltinESMExports();
    try {
      expect(createOwnerName().startsWith('_')).toBe(true);
      expect(stateOfOwner(name.replace(/_\d+_/, '_4194305_'))).toBe('unknown');
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
  });

  test('of a file that is no owner does not exist', () => {
    const name = createOwnerName();
    expect([ownerOf(name), ownerOf(`${name}.next`)]).toEqual([name, name]);
    expect([ownerOf('notes.txt'), ownerOf(`${name}x`)]).toEqual([undefined, undefined]);
  });
});
