import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complete, type Completion, isShell, type Shell } from '../completion/complete.js';
import type { CommandTree } from '../help/command-tree.js';
import { completionSources } from '../completion/completion-sources.js';
import { powershellJoint, powershellText, powershellWord } from '../completion/powershell-word.js';
import { currentDirectory, homeDirectory } from '../system/process-directories.js';
import { shellText, shellWord } from '../text/shell-word.js';

/**
 * Answers a shell: a line for each candidate, its value, a tab and what it is; or `:files` alone. Nothing of it drives a
 * terminal, or can't be seen.
 *
 * @param words the shell, the index of the cursor's word among those after the program's name, `--`, and those words.
 * @returns nothing for what is no such question: a shell at a prompt must never meet an error.
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
  const place = { env, platform, homeDirectory: homeDirectory(), currentDirectory: currentDirectory(host) };
  const completion = await complete(await readTree(), before, current, completionSources(place));
  return answer(completion, shell, { current, raw });
}

/** Reads the tree that the build wrote, so that no command has to be loaded. */
function readBuiltTree(): CommandTree {
  // `petstore commands --json` wrote it.
  return JSON.parse(readFileSync(join(import.meta.dirname, 'command-tree.json'), 'utf8')) as CommandTree;
}

interface Cursor {
  before: readonly string[];
  /** Empty where a new word begins: some shells hand over no empty words. */
  current: string;
  /** The same as it was typed. */
  raw: string;
}

function wordsOf(shell: Shell, typed: readonly string[], index: number): Cursor {
  const whole: string[] = [];
  let cursor = '';
  let isGlued = false;
  for (const [at, word] of [...typed.slice(0, index), typed[index] ?? ''].entries()) {
    // bash takes words apart at = and :, and hands these over as words of their own.
    const isJoint = shell === 'bash' && /^[=:]+$/.test(word);
    if (whole.length > 0 && (isJoint || isGlued)) whole.push(`${whole.pop() ?? ''}${word}`);
    else whole.push(word);
    isGlued = isJoint;
    if (at === index) cursor = whole.pop() ?? '';
  }
  const said = shell === 'powershell' ? powershellText : shellText;
  return { before: whole.map(said), current: said(cursor), raw: cursor };
}

function answer(completion: Completion, shell: Shell, { current, raw }: Omit<Cursor, 'before'>): string {
  if (completion === 'files') return ':files\n';
  return completion
    .filter(({ value }) => withoutHidden(value) === value)
    .map(({ value, summary }) => {
      const about = withoutHidden(summary);
      if (shell === 'zsh' || shell === 'fish') return `${value}\t${about}\n`;
      if (shell === 'powershell') return `${powershellWord(value.slice(powershellJoint(raw)))}\t${about}\n`;
      return bashLine(value, { current, raw });
    })
    .join('');
}

/** Values alone: bash inserts them as they stand. */
function bashLine(value: string, { current, raw }: Omit<Cursor, 'before'>): string {
  // It completes what follows the last joint of the word, unless that is within a quote.
  const joint = /^['"]/.test(raw) ? 0 : Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1;
  const rest = value.slice(joint);
  if (!/(?:^|[=:])['"]/.test(raw)) return `${shellWord(rest)}\n`;
  // A quote that is open stays so, and bash closes it: what would close it too early can't be offered.
  return /['"$`\\!]/.test(rest) ? '' : `${rest}\n`;
}

/** Without controls, marks of the writing direction and all else that nobody sees. */
function withoutHidden(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text.replace(/[\t\n\r\p{Zl}\p{Zp}]+/gu, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
}
