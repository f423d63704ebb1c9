import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/version.js';
import { ENV, runFake, type Scripted, type World } from '../support/fake-context.js';
import { expectProposalsWork } from '../support/proposed-commands.js';
import { shellWords } from '../support/parse-line.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/**
 * Each file in transcripts/ has command lines, the responses of the service to them, and what the command does with both.
 *
 * Written by hand: `##` begins a scene with a folder of its own, `@` changes its world, `<` is the next response,
 * `$` is a command line. Written by `npx vitest run test/cli/transcripts.test.ts --update`: `>` is a request, `|` a line
 * of stdout, `!` a line of stderr, `=` the exit code if it is not 0, `+` and `-` a changed and a removed file.
 */
const FOLDER = join(import.meta.dirname, 'transcripts');

beforeAll(() => {
  // Some times are printed in local time.
  process.env.TZ = 'UTC';
});

test.each(readdirSync(FOLDER))('%s', { timeout: 60_000 }, async (name) => {
  const path = join(FOLDER, name);
  const written: string[] = [];
  let scene = createScene();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (/^[>|!=+-]/.test(line)) continue;
    written.push(line);
    const input = line.slice(2);
    if (line.startsWith('## ')) scene = createScene();
    else if (line.startsWith('@ ')) scene.change(JSON.parse(input) as Change);
    else if (line.startsWith('< ')) scene.responses.push(readResponse(input));
    else if (line.startsWith('$ ')) written.push(...(await scene.run(input)));
  }
  await expect(written.join('\n')).toMatchFileSnapshot(path);
});

/** A name, a port, the token of a request to a web server, and a delay with jitter. */
const RANDOM =
  /\b[\da-f]{8}(?=\.journal)|(?<=127\.0\.0\.1:)\d+|(?<=petstore-check\/|probe=)[\da-f]+|(?<=Retrying )in .*, at [\d:]+/g;

type Change = Omit<World, 'responses'> & { files?: Record<string, unknown> };

function createScene() {
  const folder = temporaryFolder();
  const env = { NO_COLOR: '1', PETSTORE_CONFIG_DIR: join(folder, 'config') };
  let world: World = { env: { ...ENV, ...env, PETSTORE_STATE_DIR: join(folder, 'state') } };
  const responses: Scripted[] = [];
  return {
    responses,
    change({ files = {}, env = {}, ...change }: Change): void {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
        const text = typeof content === 'string' ? content : JSON.stringify(content);
        writeFileSync(join(folder, name), text, { mode: 0o600 });
      }
      world = { ...world, ...change, env: { ...world.env, ...env } };
    },
    async run(line: string): Promise<string[]> {
      const before = contentsOf(folder);
      const scripted = responses.length === 0 ? {} : { responses: responses.splice(0) };
      const outcome = await runFake(shellWords(line), { currentDirectory: folder, ...world, ...scripted });
      await expectProposalsWork(outcome, folder, world);
      const after = contentsOf(folder);
      const requests = outcome.requests.map(({ method, origin, path, body = '' }) =>
        `> ${method} ${origin.replace('https://pets.test', '')}${path} ${body}`.trimEnd(),
      );
      const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
      const removed = Object.keys(before).filter((name) => !(name in after));
      return [
        ...requests,
        ...linesOf('|', outcome.stdout),
        ...linesOf('!', outcome.stderr),
        ...(outcome.exitCode === 0 ? [] : [`= ${String(outcome.exitCode)}`]),
        ...changed.map((name) => `+ ${name}`),
        ...removed.map((name) => `- ${name}`),
      ].map((shown) => {
        const steady = shown.replaceAll(folder, '/FOLDER').replaceAll(VERSION, 'X.Y.Z');
        return steady.replaceAll(RANDOM, 'RANDOM');
      });
    },
  };
}

/** Reads `lost`, an error code, `never`, `list COUNT`, or a status with headers as `name=value` and a body. */
function readResponse(text: string): Scripted {
  if (text === 'never') return 'never';
  if (text === 'lost') return new Error('connection reset');
  if (/^[A-Z_]+$/.test(text)) return Object.assign(new Error('failed'), { code: text });
  const [, count] = /^list (\d+)$/.exec(text) ?? [];
  if (count !== undefined) {
    const pets = Array.from({ length: Number(count) }, (_, at) => ({
      id: at + 1,
      name: 'Rex',
      categoryId: 7,
    }));
    return { body: JSON.stringify(pets) };
  }
  const [, status, headers = '', body = ''] = /^(\d+)((?: [a-z-]+=\S+)*) ?(.*)$/.exec(text) ?? [];
  const fields = headers
    .split(' ')
    .filter(Boolean)
    .map((field) => field.split('='));
  return { status: Number(status), headers: Object.fromEntries(fields), body };
}

/** The lines of an output after a mark, with control characters as escapes. */
function linesOf(mark: string, text: string): string[] {
  if (text === '') return [];
  const shown = text.replaceAll(
    /[\0-\x08\x0b-\x1f\x7f-\x9f]/g,
    (each) => String.raw`\x` + each.charCodeAt(0).toString(16).padStart(2, '0'),
  );
  const lines = shown.replace(/\n$/, '').split('\n');
  return lines.map((line) => (line === '' ? mark : `${mark} ${line}`));
}

/** The files of a scene with their contents. The state directory is left out. */
function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const files = names.filter((name) => !name.startsWith('state') && statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
