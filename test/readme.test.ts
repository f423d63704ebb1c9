import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './support/source-tree.js';

/** The words of a line `petstore …` in a fenced block of the README, up to a pipe, a redirection or a comment. */
const commands = [...readme().matchAll(/^```\w*\n(.*?)^```/gms)]
  .flatMap((block) => block[1]!.split('\n'))
  .map((line) => /^(?:\$ )?(?:npx )?petstore (.*)$/.exec(line.trim())?.[1])
  .filter((line) => line !== undefined)
  .map((line) =>
    line
      .split(/\s(?:[|>&#;]|2>)/)[0]!
      .trim()
      .split(/\s+/),
  );

const helps = new Map<string, string>();

describe('the README', () => {
  test('shows commands', () => {
    expect(commands.length).toBeGreaterThan(0);
  });

  test.each(commands.map((words) => [words.join(' '), words] as const))('petstore %s', (_, words) => {
    const { path, help } = resolve(words);
    const rest = words.slice(path.length);
    // A group (`petstore pets`) does nothing by itself: a word that is left over is a command that does not exist.
    if (/^usage:.*\[?command\]?/im.test(help)) expect(rest.filter((word) => /^[a-z]/.test(word))).toEqual([]);
    const flags = rest.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split('=')[0]!);
    const known = help + helpOf([]);
    expect(flags.filter((flag) => !new RegExp(`(^|[\\s,])${flag}(?![\\w-])`, 'm').test(known))).toEqual([]);
  });
});

/** The command that the leading words name: the longest path that the help of the command line repeats. */
function resolve(words: readonly string[]): { path: string[]; help: string } {
  const leading = words.slice(0, words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word)) >>> 0);
  for (let length = leading.length; length > 0; length -= 1) {
    const path = leading.slice(0, length);
    const help = helpOf(path);
    if (new RegExp(`^usage:\\s+petstore ${path.join(' ')}(?![\\w-])`, 'im').test(help)) return { path, help };
  }
  return { path: [], help: helpOf([]) };
}

function helpOf(path: readonly string[]): string {
  const key = path.join(' ');
  const known = helps.get(key);
  if (known !== undefined) return known;
  const { stdout } = spawnSync(process.execPath, ['bin/petstore.cjs', ...path, '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  helps.set(key, stdout);
  return stdout;
}

function readme(): string {
  return readFileSync(join(ROOT, 'README.md'), 'utf8');
}
