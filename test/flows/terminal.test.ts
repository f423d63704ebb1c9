import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { startService } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type AtTerminal, atTerminal, whyNoTerminal, withoutEscapes } from '../support/terminal.js';

const skipReason = whyNoTerminal();
const ALL = ['stdin', 'stdout', 'stderr'] as const;
const READS_STDIN = /^error: .*stdin is a terminal.*\nhint: [^]*pipe/i;

/** Starts a service with these responses; the last one repeats. Returns the environment variables for it. */
async function service(
  ...responses: { status?: number; headers?: Record<string, string>; body?: unknown }[]
): Promise<Record<string, string>> {
  let count = 0;
  const env = await startService((_request, response) => {
    const { status = 200, headers = {}, body = [] } = responses[Math.min(count, responses.length - 1)] ?? {};
    count += 1;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  return { ...env, PETSTORE_GATE: 'memory' };
}

describe.skipIf(skipReason !== undefined)(
  `at a terminal${skipReason === undefined ? '' : ` (${skipReason})`}`,
  () => {
    describe('prompts', () => {
      test.each([[[], true], ...(IS_FULL ? [[['--color', 'never'], false] as const] : [])] as const)(
        'request the missing values and create the pet: %j, colour %j',
        async (flags, hasColor) => {
          const terminal = atTerminal(['pets', 'create', '--mock', ...flags]);
          await terminal.sees(/Name/);
          terminal.type('Rex\r');
          await terminal.sees(/Category/);
          terminal.type('seven\r');
          await terminal.sees(/Enter decimal digits/);
          terminal.type('\u007f'.repeat(5));
          terminal.type('9007199254740993\r');
          await terminal.sees(/Status/);
          terminal.type('\r');
          const { exitCode, shown, settingsAfter } = await terminal.finished;
          expect(exitCode).toBe(0);
          expect(withoutEscapes(shown)).toMatch(/NAME: +Rex\n/);
          expect(shown).toContain('9007199254740993');
          expect(/\u001b\[[\d;]*m/.test(shown)).toBe(hasColor);
          expectRestored(settingsAfter);
        },
      );

      // Otherwise the login does.
      test.runIf(IS_FULL)(
        'end with 130 after ^C, and restore the terminal (PETSTORE_TEST_FULL=1)',
        async () => {
          const terminal = atTerminal(['pets', 'create', '--mock']);
          await terminal.sees(/Name/);
          terminal.type('Re\u0003');
          const { exitCode, shown, settingsAfter } = await terminal.finished;
          expect(exitCode).toBe(130);
          expect(shown).not.toMatch(/error| at /);
          expectRestored(settingsAfter);
        },
      );
    });

    describe('without a person at the terminal', () => {
      test.runIf(IS_FULL)(
        'does not prompt if a file is in place of a stream (PETSTORE_TEST_FULL=1)',
        async () => {
          const error = /^error: --name and --category are missing\nhint: /;
          const line = ['pets', 'create', '--mock'];
          const withoutStdin = await atTerminal(line, { stdin: '/dev/null' }).finished;
          expect(withoutStdin.exitCode).toBe(2);
          expect(withoutEscapes(withoutStdin.shown)).toMatch(error);
          const stderr = join(temporaryFolder(), 'stderr');
          const withoutStderr = await atTerminal(line, { stderr }).finished;
          expect(withoutStderr).toMatchObject({ exitCode: 2, shown: '' });
          expect(readFileSync(stderr, 'utf8')).toMatch(error);
        },
      );

      test.each(['stdin', 'stderr'] as const)('does not prompt if %s is not a terminal', async (file) => {
        const terminals = ALL.filter((stream) => stream !== file);
        const { exitCode, stdout, stderr } = await runResident(['pets', 'create', '--mock'], { terminals });
        expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
        expect(withoutEscapes(stderr)).toMatch(/^error: --name and --category are missing\nhint: /);
      });

      test('prompts are on stderr, and stdout contains only data', async () => {
        const stdout = join(temporaryFolder(), 'stdout');
        const terminal = atTerminal(['pets', 'create', '--mock', '--status', 'sold', '--category', '7'], {
          stdout,
        });
        await terminal.sees(/Name/);
        terminal.type('Rex\r');
        expect((await terminal.finished).exitCode).toBe(0);
        expect(readFileSync(stdout, 'utf8')).toMatch(/^\d+\tRex\t7\tsold\n$/);
      });

      test.each([
        [['pets', 'import', '-', '--mock']],
        [['pets', 'create', '-f', '-', '--mock']],
        [['api', 'POST', '/pets', '--input', '-', '--mock']],
        [['api', 'POST', '/pets', '-F', 'name=@-', '--mock']],
        [['auth', 'login', '--with-key', '--base-url', 'http://127.0.0.1:9/v1']],
      ])('petstore %j does not wait for typed input', async (line) => {
        const env = { PETSTORE_STATE_DIR: temporaryFolder() };
        const { exitCode, stderr } = await runResident(line, { env, terminals: ALL });
        expect(exitCode).toBe(2);
        expect(withoutEscapes(stderr)).toMatch(READS_STDIN);
      });
    });

    describe('login', () => {
      const KEY = 'sk-typed-in-secret';

      /** Starts a login that prompts for the key and stores it in the folder. */
      const startLogin = async (): Promise<{ terminal: AtTerminal; folder: string }> => {
        const folder = temporaryFolder();
        const env = { ...(await service({ body: [] })), PETSTORE_API_KEY: '', PETSTORE_CONFIG_DIR: folder };
        const terminal = atTerminal(['auth', 'login'], { env });
        await terminal.sees(/API key/);
        return { terminal, folder };
      };

      test('does not echo the key', async () => {
        const { terminal, folder } = await startLogin();
        terminal.type(`${KEY}\r`);
        const { exitCode, shown, settingsAfter } = await terminal.finished;
        expect(exitCode).toBe(0);
        expect(shown).not.toContain(KEY);
        const [file = ''] = readdirSync(join(folder, 'keys'));
        expect(readFileSync(join(folder, 'keys', file), 'utf8')).toBe(`${KEY}\n`);
        expectRestored(settingsAfter);
      });

      test('^C restores the terminal and stores nothing', async () => {
        const { terminal, folder } = await startLogin();
        terminal.type(`${KEY}\u0003`);
        const { exitCode, shown, settingsAfter } = await terminal.finished;
        expect(exitCode).toBe(130);
        expect(shown).not.toContain(KEY);
        expect(readdirSync(folder)).toEqual([]);
        expectRestored(settingsAfter);
      });
    });

    describe('a wait for the rate limit', () => {
      test('counts down on one line, which is cleared at the end', async () => {
        const env = await service(
          { status: 429, headers: { 'retry-after': '2' } },
          { body: [{ id: 1, name: 'Rex', categoryId: 7 }] },
        );
        const terminal = atTerminal(['pets', 'list'], { env });
        await terminal.sees(/Rate limit reached\. Retrying in \d s/);
        // Drawn again, with fewer seconds: a busy machine may skip a number.
        await terminal.sees(/\r\u001b\[KRate limit reached\. Retrying in [12] s/);
        const { exitCode, shown } = await terminal.finished;
        expect(exitCode).toBe(0);
        expect(shown.lastIndexOf('\r\u001b[K')).toBeLessThan(shown.indexOf('NAME'));
        expect(shown.split('\n').filter((line) => line.includes('Retrying'))).toHaveLength(1);
      });
    });

    test.each(IS_FULL ? [40, 120] : [40])(
      'domain verify --wait counts down on one temporary line of %i columns',
      async (columns) => {
        /** The progress line. Permanent lines start with the time. */
        const drawn = /\r\u001b\[K(?:Waiting for [^\r\n;]*)?next check in \d s/;
        const isDrawn = (text: string): boolean => /^(?:Waiting for|next check in)/.test(text);
        const line = ['--mock', 'domain', 'verify', 'missing.example.test', '--wait'];
        const terminal = atTerminal(line, { columns });
        await terminal.sees(drawn);
        await terminal.sees(drawn);
        terminal.type('\u0003');
        const { exitCode, shown } = await terminal.finished;
        expect(exitCode).toBe(130);
        for (const part of shown.split('\r\u001b[K').slice(1)) {
          const text = withoutEscapes(part).split('\n')[0] ?? '';
          if (isDrawn(text)) expect(text.length).toBeLessThan(columns);
        }
        const kept = shown.split('\n').map((text) => text.split('\r\u001b[K').at(-1) ?? '');
        expect(kept.filter(isDrawn)).toEqual([]);
        expect(kept.join(' ').replaceAll(/\s+/g, ' ')).toContain(
          'To resume, run: petstore --mock domain verify missing.example.test',
        );
      },
    );

    describe('a table', () => {
      const pets = [{ id: 2, name: 'x'.repeat(60), categoryId: 1 }];

      const COLOR = '\u001b[';

      // Flags, environment, and whether a terminal and a file get colour. Earlier settings override later ones.
      test.each<[string[], Record<string, string>, boolean, boolean]>([
        [['--color', 'never'], { FORCE_COLOR: '1' }, false, false],
        [['--color', 'always'], { NO_COLOR: '1' }, true, true],
        [[], { PETSTORE_COLOR: 'never', FORCE_COLOR: '1' }, false, false],
        [[], { NO_COLOR: '1', FORCE_COLOR: '1' }, false, false],
        [[], { NO_COLOR: '' }, true, false],
        [[], { FORCE_COLOR: '1', CLICOLOR: '0' }, true, true],
        [[], { TERM: 'dumb' }, false, false],
        [[], {}, true, false],
      ])(
        '%j with %j: colour at the terminal %j, in a file %j',
        async (flags, own, atTerminalHas, fileHas) => {
          const env = { ...(await service({ body: pets })), TERM: 'xterm', ...own };
          const data = ['pets', 'list', '-q', '-o', 'table', ...flags];
          const failing = ['pets', 'list', '--limit', '0', ...flags];
          // Each stream is decided independently: the other one is a file.
          for (const [line, stream, other] of [
            [data, 'stdout', 'stderr'],
            [failing, 'stderr', 'stdout'],
          ] as const) {
            const shown = (await runResident(line, { env, terminals: ['stdin', stream] }))[stream];
            expect(shown.includes(COLOR), `${stream} at the terminal`).toBe(atTerminalHas);
            const written = (await runResident(line, { env, terminals: ['stdin', other] }))[stream];
            expect(written.includes(COLOR), `${stream} in a file`).toBe(fileHas);
          }
        },
      );

      test.each<[Record<string, string>, boolean]>([
        // Otherwise the prompts show that a terminal has colour.
        ...(IS_FULL ? [[{}, true] as [Record<string, string>, boolean]] : []),
        [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false],
      ])('has the width of the terminal; with %j: colour %j, no warning from Node', async (own, hasColor) => {
        const env = { ...(await service({ body: pets })), ...own };
        const stderr = join(temporaryFolder(), 'stderr');
        const { shown } = await atTerminal(['pets', 'list', '-q'], { env, stderr, columns: 40 }).finished;
        const lines = withoutEscapes(shown).split('\n');
        expect(Math.max(...lines.map((line) => stringWidth(line)))).toBe(40);
        expect(shown.includes(COLOR)).toBe(hasColor);
        expect(shown + readFileSync(stderr, 'utf8')).not.toContain('Warning');
      });
    });
  },
);

/** Checks that echo and line mode are on, as a shell expects. */
function expectRestored(settings: string): void {
  expect(settings).toMatch(/ icanon /);
  expect(settings).toMatch(/ echo /);
}
