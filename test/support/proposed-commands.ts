import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { shellText } from '../../src/cli/errors/shell-word.js';
import { Interruption, type Prompter } from '../../src/cli/system/context.js';
import type { TransportRequest } from '../../src/client/internal.js';
import { wrapForTerminal } from '../../src/cli/output/text/wrap.js';
import { type Outcome, runFake, type Scripted, type World } from './fake-context.js';
import { temporaryFolder } from './temporary-folder.js';

/** A command of petstore in a text: in double quotes, or at the end of its line after a colon. */
const COMMAND =
  /"(?<quoted>petstore [^"]*)"|: (?:COMMAND \| )?(?<last>petstore .*)$|(?<other>(?<![\w/"])petstore (?=-|[a-z]+ ).*)/g;

/**
 * Returns the commands that notes and hints propose.
 *
 * @throws an AssertionError for a command of which a reader can't see the end.
 */
function proposedCommands(stderr: string): string[] {
  const lines = stderr.split('\n').flatMap((line) => {
    if (/^(?:error: |warning: |hint: Did you mean |::)/.test(line)) return [];
    const { hint } = line.startsWith('{"error":')
      ? (JSON.parse(line) as { error: { hint: string } }).error
      : { hint: line };
    return (hint ?? '').split('\n');
  });
  const found = lines.flatMap((line) => [...line.matchAll(COMMAND)].map(({ groups }) => groups!));
  expect(found.flatMap(({ other = [] }) => other)).toEqual([]);
  return found.map(({ quoted, last }) => (quoted ?? last)!.slice('petstore '.length));
}

/** What a reader puts in place of a word in capitals. */
const VALUES: Readonly<Record<string, string>> = {
  URL: 'https://pets.test/v1',
  NAME: 'other',
  ID: '7',
  // As a port: any free one.
  N: '0',
  VALUE: 'table',
  HOST: 'pets.test',
  FILE: 'new.har',
};

/** Types what is accepted, and takes the first choice. */
const PERSON: Prompter = {
  secret: () => Promise.resolve('sk-new'),
  text: (_, check) => Promise.resolve([VALUES.URL!, 'Rex', '7'].find((text) => check(text) === true)!),
  choose: (_, choices) => Promise.resolve(choices.at(-1)!.value),
};

/** A terminal in which most commands are longer than a line. */
const NARROW = { env: { PETSTORE_FORCE_TTY: '40' }, stderr: { isTTY: true, columns: 40 } };

/** Commands that are tried already. */
const tried = new Set<string>();

/**
 * Runs the commands that the outcome of a command proposes, in a copy of its folder. Each must start, and must not end with
 * the error that it is to solve.
 */
export async function expectProposalsWork(outcome: Outcome, folder: string, world: World): Promise<void> {
  const failure = /^error: .*/m.exec(outcome.stderr)?.[0];
  const isJson = /^\{"error":/m.test(outcome.stderr);
  const narrow = wrapForTerminal(outcome.stderr, NARROW);
  for (const line of proposedCommands(outcome.stderr)) {
    if (tried.has(line + String(failure))) continue;
    tried.add(line + String(failure));
    if (!isJson) expect(narrow).toContain(`petstore ${line}`);
    const copy = join(temporaryFolder(), 'copy');
    cpSync(folder, copy, { recursive: true });
    const inCopy = (text: string): string => text.replaceAll(folder, copy);
    const words = inCopy(line).match(/(?:'[^']*'|\\.|[^\s'\\])+/g)!;
    const valueOf = (word: string): string =>
      word === 'VALUE' && /Urls? VALUE/.test(line) ? VALUES.URL! : (VALUES[word] ?? shellText(word));
    const argv = words.map((word) => valueOf(word).replace(/\bHOST\b/, VALUES.HOST!));
    // auth login refuses to store a key that the variable overrides.
    const isLogin = line.startsWith('auth login');
    const stopping = new AbortController();
    const { exitCode, stderr } = await runFake(argv, {
      ...world,
      env: {
        ...Object.fromEntries(Object.entries(world.env ?? {}).map(([name, text]) => [name, inCopy(text)])),
        ...(isLogin ? { PETSTORE_API_KEY: '' } : {}),
      },
      ...(isLogin ? { stdin: 'sk-new\n' } : {}),
      currentDirectory: copy,
      responses: respond,
      prompter: PERSON,
      terminals: argv.includes('-') || argv.includes('--with-key') ? [] : ['stdin', 'stderr'],
      signal: stopping.signal,
      // A mock serves until a signal.
      onNote: () => void (argv[0] === 'mock' && stopping.abort(new Interruption(143))),
    });
    const shown = `${line}\n${stderr}`;
    expect(exitCode, shown).not.toBe(2);
    if (failure !== undefined) expect(shown).not.toContain(failure);
  }
}

/** A service that lists one pet, creates every pet, and accepts every key. */
function respond({ method, path, body = '{}' }: TransportRequest, count: number): Scripted {
  const pet = { id: count, name: 'Rex', categoryId: 7 };
  if (method === 'POST') return { status: 201, body: body.replace('{', `{"id":${String(count)},`) };
  return { body: JSON.stringify(path.includes('/pets/') ? pet : [pet]) };
}
