// The columns of tables in a real terminal: tmux reports where the next cell starts.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toTable } from '../../src/cli/output/table/table.js';
import { IS_FULL } from '../support/random-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { findProgram } from './programs.js';

const NAMES = [
  ...['Rex', '猫の名前はとても長い', '고양이', 'Ａｂ', '👨‍👩‍👧‍👦 family', '🇫🇷 flag', 'e\u0301 accent'],
  ...['กำ น้ำ ไม้', 'ນຳ', 'हिन्दी', 'ខ្មែរ', 'שָׁלוֹם', 'a\u200b\u00ad\u{e0041}b', 'a\tb\u001b[2J'],
  ...['🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝🥝'],
];
const COLUMNS = [
  { field: 'id', header: 'id', fixed: true },
  { field: 'name', header: 'name' },
  { field: 'next', header: 'next' },
];
const ROWS = NAMES.map((name, index) => ({ id: BigInt(index), name, next: '@@@@' }));
const POLL_MS = 20;
const POLLS_MAX = 500;

const tmux = findProgram('tmux');

describe.skipIf(tmux === undefined)(`in tmux${tmux === undefined ? ' (not installed)' : ''}`, () => {
  test.each(IS_FULL ? [80, 40] : [40])(
    'the cells of a column start at the same place: %i columns',
    async (width) => {
      const table = await toTable(ROWS, COLUMNS, { header: false, width, colorLevel: 0 });
      const lines = table.split('\n').slice(0, -1);
      const starts = await cursorColumns(
        lines.map((line) => line.slice(0, line.indexOf('@'))),
        width,
      );
      expect(starts).toHaveLength(NAMES.length);
      expect(new Set(starts).size, JSON.stringify(starts)).toBe(1);
      expect(starts[0]).toBeLessThanOrEqual(width - '@@@@'.length + 1);
    },
  );
});

/** Prints each text on a line of its own, and returns the column of the cursor after it, from 1. */
async function cursorColumns(texts: readonly string[], width: number): Promise<number[]> {
  const folder = temporaryFolder({ texts: texts.map((text) => `${text}\n`).join(''), columns: '' });
  const script = join(folder, 'script');
  // The terminal replies to `ESC [ 6 n` with the place of the cursor.
  writeFileSync(
    script,
    `stty -echo -icanon
while IFS= read -r text <&3; do
  printf '%s\\033[6n' "$text"
  IFS= read -r -d R place
  printf '\\r\\n'
  echo "\${place##*;}" >> '${folder}/columns'
done 3< '${folder}/texts'
sleep 60
`,
  );
  const socket = join(folder, 'socket');
  const run = (...args: string[]): void => {
    execFileSync(tmux!.path, ['-S', socket, '-f', '/dev/null', '-u', ...args], {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        LC_ALL: 'C.UTF-8',
        TERM: 'xterm-256color',
        LD_LIBRARY_PATH: tmux!.libraryFolders.join(':'),
      },
    });
  };
  run('new-session', '-d', '-x', String(width), '-y', '40', `bash '${script}'`);
  onTestFinished(() => run('kill-server'));
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const columns = readFileSync(join(folder, 'columns'), 'utf8').split('\n').slice(0, -1);
    if (columns.length === texts.length) return columns.map(Number);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`no reply: ${readFileSync(join(folder, 'columns'), 'utf8')}`);
}
