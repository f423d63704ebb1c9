import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../../src/cli/system/context.js';
import { runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { serveDns, TARGET } from './served-dns.js';

describe('--wait', () => {
  test('several domains: prints changes of each, and reports in order', async () => {
    const names = 'missing.example.test shop.example.test wrong.example.test';
    const line = `--mock domain verify ${names} --wait --timeout 40s`;
    const { exitCode, stdout, stderr } = await runFake(line);
    expect(exitCode).toBe(8);
    expect(stdout.split('\n').map((row) => row.split('\t')[2])).toEqual([
      ...['action-required', 'verified', 'action-required', undefined],
    ]);
    for (const name of ['missing.example.test', 'wrong.example.test']) {
      expect(stderr).toContain(`${name}: action required. `);
      expect(stderr).toContain(`The wait for ${name} timed out`);
    }
    expect(stderr).not.toContain('shop.example.test');
  });

  test('several domains: an interrupted wait resumes with the remaining ones', async () => {
    const stopping = new AbortController();
    const line = '--mock domain verify shop.example.test missing.example.test wrong.example.test --wait';
    let told = 0;
    const { exitCode, stderr } = await runFake(line, {
      signal: stopping.signal,
      onNote: (text) => {
        if (text.includes('Next check')) told += 1;
        if (told === 2) stopping.abort(new Interruption(130));
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(
      /To resume, run: petstore --mock domain verify (shop\.example\.test )?missing\.example\.test wrong\.example\.test --target/,
    );
    expect(stderr).toContain('Interrupted. Last state of wrong.example.test: action required.\n');
  });

  test('ends when the goal is reached', async () => {
    await using dns = await serveDns();
    const running = runFake(
      ['domain', 'verify', 'missing.example.test', '--wait', '--no-certificate', ...dns.flags],
      {
        env: { PETSTORE_STATE_DIR: temporaryFolder() },
        onNote: (text) => {
          if (text.includes('Next check'))
            dns.mock.dns?.setRecords('missing.example.test', 'CNAME', [TARGET]);
        },
      },
    );
    const { exitCode, stdout, stderr } = await running;
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'missing.example.test\tsubdomain\tverified\t\n',
    });
    expect(stderr).toMatch(
      /^[\d: -]+ missing\.example\.test: action required\. Add at .*\. Add CNAME missing -> .*\. Next check in \d+ s\.\n$/,
    );
  });

  test('streams events as ndjson, including the end', async () => {
    const line = '--mock domain verify missing.example.test --wait --timeout 40s -o ndjson';
    const { stdout } = await runFake(line);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(events).toEqual([
      { event: 'changed', nextCheckAt: expect.any(String), report: expect.any(Object) },
      { event: 'end', end: 'timeout', timedOut: true, exitCode: 8, report: expect.any(Object) },
    ]);
  });

  test('prints a command to resume with every flag when interrupted', async () => {
    const stopping = new AbortController();
    const flags = '--wait --issuer ca.example --plan pro --strict --timeout 50s';
    const { exitCode, stderr } = await runFake(`--mock domain verify missing.example.test ${flags}`, {
      signal: stopping.signal,
      onNote: (text) => {
        if (text.includes('Next check')) stopping.abort(new Interruption(130));
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain(
      `To resume, run: petstore --mock domain verify missing.example.test --target ${TARGET} --wait ` +
        '--plan pro --issuer ca.example --strict --timeout 50s\n',
    );
  });

  test('ends at once if waiting cannot help', async () => {
    const { exitCode } = await runFake('--mock domain verify shop.example.test --wait --plan Free');
    expect(exitCode).toBe(1);
  });
});
