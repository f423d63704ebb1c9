import { describe, expect, test } from 'vitest';
import { runFake, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { serveDns, TARGET } from './served-dns.js';

const TERMINAL: World = { terminals: ['stdout'], env: { NO_COLOR: '1' } };
const NAME = 'shop.example.test';

/** Waits of less than 30 s are over at once, before anybody can have answered. */
describe('an exceeded --timeout', () => {
  test('is reported as such, with a longer limit in the next command', async () => {
    await using dns = await serveDns();
    const { exitCode, stdout } = await runFake(
      ['domain', 'verify', NAME, '--timeout', '1s', '--plan', 'pro', ...dns.flags],
      TERMINAL,
    );
    expect(exitCode).toBe(9);
    expect(stdout).toContain('the time limit ended the check');
    expect(stdout).toContain('The time limit of 1 s ended the check before all queries were made.');
    expect(stdout.match(/\[[a-z.-]+\]/g)).toEqual(['[time.ran-out]']);
    const words = stdout.replaceAll(/ \\\n +/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain(
      `Check again with more time (-v shows servers and evidence): petstore domain verify ${NAME} --target ${TARGET} ` +
        `${dns.flags.slice(0, 4).join(' ')} --plan pro --timeout 60s`,
    );
    expect(words).not.toMatch(/network|unreachable|--timeout 1s/);
  });

  test('suggests twice a long limit', async () => {
    const { stdout } = await runFake(`--mock domain verify ${NAME} --timeout 80s --json next`, {
      endlessFromMs: 100_000,
    });
    expect(JSON.parse(stdout).next[0].command).toContain('--timeout 160s');
  });

  test('in a wait: pending, with a longer wait next', async () => {
    const { exitCode, stdout, stderr } = await runFake(
      `--mock domain verify ${NAME} --wait --timeout 1s --json state,next`,
    );
    expect(exitCode).toBe(8);
    expect(stderr).toBe(`The wait for ${NAME} timed out. No check was completed.\n`);
    expect(JSON.parse(stdout)).toEqual({
      state: 'inconclusive',
      next: [
        {
          step: 'verify',
          command: `petstore --mock domain verify ${NAME} --target ${TARGET} --wait --timeout 30m`,
          when: 'Check again with more time',
        },
      ],
    });
  });

  test('in a wait with an earlier report', async () => {
    const { stdout } = await runFake(
      '--mock domain verify missing.example.test --wait --timeout 40m --json next',
      { endlessFromMs: 2_400_000 },
    );
    const commands = JSON.parse(stdout).next.map(({ command }: { command: string }) => command);
    expect(commands).toContainEqual(expect.stringMatching(/ --wait --timeout 80m$/));
  });

  test('in domain cert: suggests the same command with more time', async () => {
    await using dns = await serveDns();
    const { exitCode, stderr } = await runFake(['domain', 'cert', NAME, '--timeout', '1s', ...dns.flags]);
    expect(exitCode).toBe(9);
    expect(stderr).toBe(
      `error: The time limit ended the lookup of ${NAME}, so the certificate could not be checked\n` +
        `hint: Allow more time: petstore domain cert ${NAME} --target ${TARGET} ${dns.flags.slice(0, 4).join(' ')} --timeout 1m\n`,
    );
  });

  test('in domain records', async () => {
    const { exitCode, stderr } = await runFake(`--mock domain records ${NAME} --timeout 1s`);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /^warning: The time limit ended the check, so the current records of shop\.example\.test are unknown\. .*Allow more time with --timeout 1m\.\n$/,
    );
  });

  test('in domain redirects', async () => {
    await using dns = await serveDns();
    const redirects = [{ from: 'www.example.test', to: 'example.test', status: 301 }];
    const currentDirectory = temporaryFolder({ 'petstore.config.json': JSON.stringify({ redirects }) });
    const line = ['domain', 'redirects', '--timeout', '1s', '--json', 'findings', ...dns.flags];
    const { exitCode, stdout } = await runFake(line, { currentDirectory });
    expect(exitCode).toBe(9);
    expect(JSON.parse(stdout).findings).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('the time limit ended the lookup of www.example.test'),
        fix: expect.objectContaining({ text: 'Allow more time with --timeout.' }),
      }),
    ]);
  });
});
