import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { complete, type Completion } from './complete.js';
import type { CommandTree } from './command-tree.js';
import { completionSources } from './completion-sources.js';
import { shellWord } from './shell-word.js';
import { isShell, type Shell } from './shells.js';

/** The tree as the build leaves it beside the program, so that no command has to be loaded. */
const TREE_FILE = join(import.meta.dirname, 'command-tree.json');

const CONTROL = /\p{Cc}/u;

/**
 * Answers a shell: a line for each candidate, its value, a tab and what it is; or `:files` alone.
 *
 * @param words the shell, the index of the cursor's word among those after the program's name, `--`, and those words.
 * @returns nothing for what is no such question: a shell at a prompt must never meet an error.
 */
export async function completeLine(
  words: readonly string[],
  host: Pick<NodeJS.Process, 'env' | 'platform' | 'cwd'>,
  readTree: () => Promise<CommandTree> = builtTree,
): Promise<string> {
  const [shell, index, separator, ...typed] = words;
  if (!isShell(shell) || separator !== '--') return '';
  const { before, current } = wordsOf(shell, typed, Number(index));
  const { env, platform } = host;
  const place = { env, platform, homeDirectory: homedir(), currentDirectory: host.cwd() };
  const completion = await complete(await readTree(), before, current, completionSources(place));
  return answer(completion, shell, current);
}

async function builtTree(): Promise<CommandTree> {
  // The one reader of what the build wrote: its shape is that of `readCommandTree`.
  if (existsSync(TREE_FILE)) return JSON.parse(readFileSync(TREE_FILE, 'utf8')) as CommandTree;
  const { readCommandTree } = await import('./read-command-tree.js');
  return readCommandTree();
}

interface Cursor {
  before: readonly string[];
  /** Empty where a new word begins: some shells hand over no empty words. */
  current: string;
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
  return { before: whole, current: cursor };
}

function answer(completion: Completion, shell: Shell, current: string): string {
  if (completion === 'files') return ':files\n';
  const printable = completion.filter(({ value, summary }) => !CONTROL.test(value + summary));
  if (shell !== 'bash') return printable.map(({ value, summary }) => `${value}\t${summary}\n`).join('');
  // bash completes what follows the last joint of the word, inserts it as it stands, and shows values alone.
  const joint = Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1;
  return printable.map(({ value }) => `${shellWord(value.slice(joint))}\n`).join('');
}
