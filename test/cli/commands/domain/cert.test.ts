import { Socket } from 'node:dgram';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { shellWord } from '../../../../src/cli/errors/shell-word.js';
import { serveTcp } from '../../../domain/loopback-servers.js';
import { runFake, type World } from '../../../support/fake-context.js';
import { closedPort } from '../../../support/loopback-port.js';
import { serveDns } from './served-dns.js';

const SHOP = 'shop.example.test';
const AUTHORITY = join(import.meta.dirname, '../../../domain/certificates/root.pem');
const NOW = Date.UTC(2026, 10, 21, 12);

test('--ca adds to the authority of --mock', async () => {
  const line = ['--mock', 'domain', 'cert', SHOP, '--ca', AUTHORITY];
  expect((await runFake(line, { now: NOW })).exitCode).toBe(0);
});

/** Looks at what serves on this port of this machine. */
function look(port: number, ...flags: readonly string[]) {
  const where = ['--connect', '127.0.0.1', '--https-port', String(port), '--ca', AUTHORITY];
  return runFake(['--mock', 'domain', 'cert', SHOP, ...where, ...flags], { now: NOW });
}

test('no certificate: pending, exit code 8', async () => {
  const { exitCode, stdout } = await look(await closedPort(), '--json');
  expect(exitCode).toBe(8);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'pending',
    findings: [{ id: 'cert.pending' }, { id: 'cert.no-tls' }],
  });
});

test.each([
  ['cert-wrong-name.example.test', 8],
  ['shop.example.test', 0],
  ['blocked.example.test', 1],
])('agrees with verify --until active: %s, exit code %i', async (name, code) => {
  for (const line of [`cert ${name}`, `verify ${name} --until active`])
    expect((await runFake(`--mock domain ${line}`)).exitCode, line).toBe(code);
});

describe('without --connect', () => {
  test('checks the certificate even if the records are wrong', async () => {
    await using dns = await serveDns();
    const { stdout } = await runFake(['domain', 'cert', 'blocked.example.test', '--json', ...dns.flags]);
    const { addresses } = JSON.parse(stdout);
    expect(addresses.map(({ address }: { address: string }) => address)).toEqual([
      '198.51.100.9',
      '2001:db8:bad::9',
    ]);
  });

  test('does not need a target', async () => {
    await using dns = await serveDns();
    const { exitCode, stdout } = await runFake(['domain', 'cert', SHOP, '--json', ...dns.flags.slice(0, 4)]);
    expect(exitCode).toBe(9);
    expect(JSON.parse(stdout).addresses[0]).toMatchObject({ address: '192.0.2.80' });
  });

  test.each([
    ['missing.example.test', 1, 'missing.example.test has no address, so it serves no certificate'],
    [
      'shop.failing.test',
      9,
      'No name server returned an address of shop.failing.test, so the certificate could not be checked',
    ],
  ])(
    '%s, without an address: exit code %i, with a command that shows the reason',
    async (name, code, message) => {
      await using dns = await serveDns();
      const flags = [...dns.flags, '--timeout', '40s', '--https-port', '8443', '--ca', AUTHORITY];
      const { exitCode, stdout, stderr } = await runFake(['domain', 'cert', name, ...flags]);
      expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
      expect(stderr).toContain(`error: ${message}\n`);
      expect(stderr).toContain(
        `hint: To find the reason, run: petstore domain verify ${name} --target cname.platform.test ${dns.flags.slice(0, 4).join(' ')} ` +
          `--https-port 8443 --timeout 40s --ca ${shellWord(AUTHORITY)}\n`,
      );
    },
  );
});

describe('--verified-at', () => {
  test.each([
    ['2026-11-21T11:45:00Z', 8, 'cert.pending'],
    ['2026-11-21T12:29:00+01:00', 1, 'cert.overdue'],
  ])('%s: exit code %i, %s', async (time, code, id) => {
    const { exitCode, stdout } = await look(await closedPort(), '--json', '--verified-at', time);
    expect({ exitCode, id: JSON.parse(stdout).findings[0].id }).toEqual({ exitCode: code, id });
  });

  test('rejects a time in the future', async () => {
    const { exitCode, stderr } = await look(1, '--verified-at', '2026-11-21T13:00Z');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--verified-at: 2026-11-21T13:00:00.000Z is in the future');
  });
});

test('--timeout also applies with --connect', async () => {
  const port = await serveTcp(() => undefined);
  const where = ['--connect', '127.0.0.1', '--https-port', String(port), '--timeout', '1s', '--json'];
  const { exitCode, stdout } = await runFake(['domain', 'cert', SHOP, ...where]);
  expect(exitCode).toBe(9);
  expect(JSON.parse(stdout).addresses[0].result).toContain('the time limit was reached');
});

test('--timeout covers the address lookup and the probe together', async () => {
  await using dns = await serveDns();
  using sent = vi.spyOn(Socket.prototype, 'send');
  const asked: number[] = [];
  await runFake(['domain', 'cert', SHOP, '--timeout', '40s', ...dns.flags], {
    onTimer: (delayMs) => {
      if (delayMs === 40_000) asked.push(sent.mock.calls.length);
    },
  });
  expect(sent).toHaveBeenCalled();
  expect(asked).toEqual([0]);
});

describe('warnings', () => {
  // The handshakes are real, so the clock of the command is too.
  const cert = (flags: string[], world: World = {}) =>
    runFake(['--mock', 'domain', 'cert', 'cert-expiring.example.test', ...flags], {
      now: Date.now(),
      ...world,
    });
  const GITHUB = { env: { PETSTORE_ANNOTATIONS: 'github' } };
  const WARNING = /^warning: cert-expiring\.example\.test: The certificate .*\[cert\.expiring\]$/m;
  const ANNOTATION =
    /^::warning title=petstore::cert-expiring\.example\.test: The certificate .*\[cert\.expiring\]$/m;

  test.each<[string, string[], boolean]>([
    ['in a pipe', [], true],
    ['with selected fields', ['--json', 'status'], true],
    ['with a query', ['--json', '--query', 'status'], true],
    ['not in JSON, which has the findings', ['--json'], false],
    ['not in lines, which have the findings', ['-o', 'ndjson'], false],
    ['not with --quiet', ['--quiet'], false],
  ])('are on stderr %s', async (_, flags, isPrinted) => {
    const { stderr, exitCode } = await cert(flags);
    expect(exitCode).toBe(0);
    expect(WARNING.test(stderr), stderr).toBe(isPrinted);
  });

  test.each<[string[], World]>([
    [[], {}],
    [['--json'], {}],
    [[], { terminals: ['stdout', 'stderr'] }],
  ])('are annotations too: %j %j', async (flags, world) => {
    const { stderr, stdout } = await cert(flags, { ...GITHUB, ...world });
    expect(stderr).toMatch(ANNOTATION);
    const isOnStdout = stdout.includes('cert.expiring');
    expect(WARNING.test(stderr), 'each text is printed once').toBe(!isOnStdout);
  });

  test('verify prints them too, and with --strict they are the error', async () => {
    const line = '--mock domain verify long-ttl.example.test';
    const piped = await runFake(line, GITHUB);
    expect(piped.stderr).toMatch(/^warning: long-ttl\.example\.test: The TTL is .*\[record\.ttl\]$/m);
    expect(piped.stderr).toContain('::warning title=petstore::long-ttl.example.test: The TTL is ');
    const { stderr, exitCode } = await runFake(`${line} --strict`, GITHUB);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('::error title=long-ttl.example.test');
    expect(stderr).not.toContain('::warning ');
  });
});
