import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { closedPort } from '../../../support/loopback-port.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { serveDns, TARGET } from './served-dns.js';

describe('--until active', () => {
  const NOON = Date.UTC(2026, 10, 21, 12);

  /** Nothing serves a certificate there. */
  async function verify(name: string, now: number, folder: string, ...flags: readonly string[]) {
    await using dns = await serveDns();
    const port = String(await closedPort());
    const where = [...dns.flags, '--connect', '127.0.0.1', '--https-port', port];
    const line = ['domain', 'verify', name, '--until', 'active', '--json', ...flags, ...where];
    const { exitCode, stdout, stderr } = await runFake(line, { now, env: { PETSTORE_STATE_DIR: folder } });
    expect(stderr).toBe('');
    const ids = JSON.parse(stdout).findings.map(({ id }: { id: string }) => id);
    return { exitCode, certificate: ids.find((id: string) => /^cert\.(pending|overdue)$/.test(id)) };
  }

  test.each([
    ['shop.example.test', 0, 'active'],
    ['cert-pending.example.test', 8, 'verified'],
    ['cert-self-signed.example.test', 1, 'action-required'],
  ])('--mock %s: exit code %i, %s', async (name, code, state) => {
    const line = ['--mock', 'domain', 'verify', name, '--until', 'active', '--json'];
    const { exitCode, stdout, stderr } = await runFake(line, { now: NOON });
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: '' });
    expect(JSON.parse(stdout).state).toBe(state);
    expect(stdout).not.toMatch(/"command": ?"(?:dig|openssl|curl) /);
  });

  test.each([
    ['cert-pending.example.test --until active', 8, '… cert-pending.example.test: verified\n'],
    ['cert-pending.example.test --until verified --probe', 0, '✓ cert-pending.example.test: verified\n'],
    ['long-ttl.example.test --strict', 1, '✗ long-ttl.example.test: verified\n'],
  ])('--mock %s: exit code %i, so a tick only for 0', async (line, code, headline) => {
    const world = { now: NOON, terminals: ['stdout'] as const, env: { NO_COLOR: '1' } };
    const { exitCode, stdout } = await runFake(`--mock domain verify ${line}`, world);
    expect(exitCode).toBe(code);
    expect(stdout.startsWith(headline), stdout).toBe(true);
  });

  test('paints the state of a row by its exit code', async () => {
    const line =
      '--mock domain verify cert-pending.example.test shop.example.test -o table --fields domain,state';
    const { exitCode, stdout } = await runFake(`${line} --until active`, {
      now: NOON,
      terminals: ['stdout'],
      env: { TERM: 'xterm' },
    });
    expect(exitCode).toBe(8);
    expect(stdout).toContain('\x1b[33mverified\x1b[39m');
    expect(stdout).toContain('\x1b[32mactive\x1b[39m');
  });

  test('stores nothing for test servers', async () => {
    const folder = temporaryFolder();
    for (const minutes of [0, 31]) {
      expect(await verify('shop.example.test', NOON + minutes * 60_000, folder)).toEqual({
        exitCode: 8,
        certificate: 'cert.pending',
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['is remembered no more when it has to be verified anew', [], []],
    ['stays remembered through a trial', ['--authoritative-port', '9'], ['shop.example.test']],
  ])('stored time %s', async (_, flags, left) => {
    await using dns = await serveDns();
    const entry = { domain: 'shop.example.test', target: TARGET, verifiedAt: '2026-11-21T11:00:00Z' };
    const folder = temporaryFolder({ 'verified-domains.json': { verified: [entry] } });
    const where = ['--resolver', dns.flags[1] ?? '', '--target', TARGET, '--no-certificate', ...flags];
    const line = ['domain', 'verify', 'shop.example.test', '--plan', 'free', '--timeout', '5s', ...where];
    const { exitCode } = await runFake(line, { env: { PETSTORE_STATE_DIR: folder } });
    expect(exitCode).toBe(1);
    const { verified } = JSON.parse(readFileSync(join(folder, 'verified-domains.json'), 'utf8'));
    expect(verified.map(({ domain }: { domain: string }) => domain)).toEqual(left);
  });

  test('uses --verified-at without stored times', async () => {
    const told = ['--verified-at', '2026-11-21T11:29:59Z'];
    expect(await verify('shop.example.test', NOON, temporaryFolder(), ...told)).toEqual({
      exitCode: 1,
      certificate: 'cert.overdue',
    });
  });
});
