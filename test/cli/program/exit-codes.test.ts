import { describe, expect, test } from 'vitest';
import type { CommandNode } from '../../../src/cli/command-line/command-tree.js';
import { EXIT, EXIT_CODES } from '../../../src/cli/errors/exit-codes.js';
import { readCommandTree } from '../../../src/cli/program/command-tree.js';

const { commands } = await readCommandTree();
/** The codes in the list "Exit codes" of a help page; `undefined` without one. */
function listedCodes({ notes = '' }: CommandNode): number[] | undefined {
  const [, list] = /^Exit codes:\n((?:- .+\n?| {2}.+\n?)+)/m.exec(notes) ?? [];
  const starts = list?.match(/^- [\d, or]+:/gm);
  return starts?.flatMap((start) => (start.match(/\d+/g) ?? []).map(Number));
}

describe('exit codes in help', () => {
  const listing = commands.flatMap((node) => {
    const codes = listedCodes(node);
    return codes === undefined ? [] : [{ path: node.words.join(' '), codes }];
  });

  test('the domain commands and the import list theirs', () => {
    expect(listing.map(({ path, codes }) => `${path}: ${codes.join(' ')}`)).toEqual([
      'pets import: 0 1 2 10 3 6 7 129 130 143',
      'domain records: 0 2',
      'domain verify: 0 1 2 8 9',
      'domain cert: 0 1 2 8 9',
      'domain redirects: 0 1 2 8 9',
    ]);
  });

  test.each(listing)('$path: each exists, and usage errors are among them', ({ codes }) => {
    const known = EXIT_CODES.map(({ code }) => code);
    expect(codes.filter((code) => !known.includes(code))).toEqual([]);
    expect(codes).toContain(EXIT.usage);
  });
});
