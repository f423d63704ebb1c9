import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complete, type Completion, isShell, type Shell } from '../commands/completion/complete.js';
import type { CommandTree } from '../command-line/command-tree.js';
import { completionSources } from '../commands/completion/completion-sources.js';
import {
  powershellPartStart,
  powershellText,
  powershellWord,
} from '../commands/completion/powershell-word.js';
import { currentDirectory, homeDirectory } from '../system/process-directories.js';
import { shellText, shellWord } from '../errors/shell-word.js';

/**
 * Completes a command line for a shell. Returns one line per candidate (value, tab, description), or only `:files`.
 * Control characters and invisible characters are left out.
 *
 * @param words the shell, the index of the word at the cursor, `--`, and the words after the program name.
 * @returns an empty text for an invalid request, because a shell prompt must never show an error.
 */
export async function completeLine(
  words: readonly string[],
  host: Pick<NodeJS.Process, 'env' | 'platform' | 'cwd'>,
  readTree: () => CommandTree | Promise<CommandTree> = readBuiltTree,
): Promise<string> {
  const [shell, index, separator, ...typed] = words;
  if (!isShell(shell) || separator !== '--') return '';
  const { before, current, raw } = wordsOf(shell, typed, Number(index));
  const { env, platform } = host;
  const environment = {
    env,
    platform,
    homeDirectory: homeDirectory(),
    currentDirectory: currentDirectory(host),
  };
  const completion = await complete(await readTree(), before, current, completionSources(environment));
  return formatCompletion(completion, shell, { current, raw });
}

/** Reads the tree from the build, so that no command is loaded. */
function readBuiltTree(): CommandTree {
  // Written by `petstore commands --json`.
  return JSON.parse(readFileSync(join(import.meta.dirname, 'command-tree.json'), 'utf8')) as CommandTree;
}

type Cursor = ReturnType<typeof wordsOf>;

function wordsOf(shell: Shell, typed: readonly string[], index: number) {
  const joined: string[] = [];
  let cursor = '';
  let isJoined = false;
  for (const [at, word] of [...typed.slice(0, index), typed[index] ?? ''].entries()) {
    // bash splits words at = and :, and passes these as separate words.
    const isJoint = shell === 'bash' && /^[=:]+$/.test(word);
    if (joined.length > 0 && (isJoint || isJoined)) joined.push(`${joined.pop() ?? ''}${word}`);
    else joined.push(word);
    isJoined = isJoint;
    if (at === index) cursor = joined.pop() ?? '';
  }
  const unquote = shell === 'powershell' ? powershellText : shellText;
  return {
    before: joined.map(unquote),
    /** Empty at the start of a new word: some shells leave out empty words. */
    current: unquote(cursor),
    /** The word as typed, with quotes. */
    raw: cursor,
  };
}

function formatCompletion(
  completion: Completion,
  shell: Shell,
  { current, raw }: Omit<Cursor, 'before'>,
): string {
  if (completion === 'files') return ':files\n';
  return completion
    .filter(({ value }) => withoutHidden(value) === value)
    .map(({ value, summary }) => {
      const description = withoutHidden(summary);
      if (shell === 'zsh' || shell === 'fish') return `${value}\t${description}\n`;
      if (shell === 'powershell')
        return `${powershellWord(value.slice(powershellPartStart(raw)))}\t${description}\n`;
      return bashLine(value, { current, raw });
    })
    .join('');
}

/** Only the value: bash inserts the whole line. */
function bashLine(value: string, { current, raw }: Omit<Cursor, 'before'>): string {
  // bash completes the text after the last = or :, unless the word is quoted.
  const joint = /^['"]/.test(raw) ? 0 : Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1;
  const rest = value.slice(joint);
  if (!/(?:^|[=:])['"]/.test(raw)) return `${shellWord(rest)}\n`;
  // bash closes an open quote itself. A value that would close it earlier is left out.
  return /['"$`\\!]/.test(rest) ? '' : `${rest}\n`;
}

/** Removes control characters, bidi characters and other invisible characters. */
function withoutHidden(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text.replace(/[\t\n\r\p{Zl}\p{Zp}]+/gu, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
}
