import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedPort, serveTls } from '../../../domain/loopback-servers.js';
import { runFake } from '../../../support/fake-context.js';
import { parseLine } from '../../../support/parse-line.js';
import { serveDns } from './served-dns.js';

const SHOP = 'shop.example.test';
const AUTHORITY = join(import.meta.dirname, '../../../domain/certificates/root.pem');
const NOW = Date.UTC(2026, 10, 21, 12);

test('flags', async () => {
  expect(await parseLine('domain cert a.example --connect 127.0.0.1 --https-port 8443')).toMatchObject({
    action: 'showCertificate',
    options: { word: 'a.example', probe: { connect: '127.0.0.1', httpsPort: 8443 } },
  });
});

test.each([
  ['domain cert', "missing required argument 'domain'"],
  ['domain cert a.example', 'no target'],
  ['domain cert a.example --target t.example -o ids', 'there is no id to print'],
  ['domain cert a.example --target t.example -o csv --fields nmae', 'unknown field "nmae"'],
  [`--mock domain cert ${SHOP}`, 'nothing serves the names of --mock'],
])('%s is refused', async (line, message) => {
  const { exitCode, stdout, stderr } = await runFake(line);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
});

/** Looks at what serves on this port of this machine. */
function look(port: number, ...flags: readonly string[]) {
  const where = ['--connect', '127.0.0.1', '--https-port', String(port), '--ca', AUTHORITY];
  return runFake(['--mock', 'domain', 'cert', SHOP, ...where, ...flags], { now: NOW });
}

describe('what serves on the wire', () => {
  test('a right certificate: exit code 0, a row for each address', async () => {
    const { exitCode, stdout } = await look(await serveTls('shop'));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^127\.0\.0\.1\tok\t[^\t]+\t\d{4}-/);
  });

  test('one of another name: exit code 1, and the finding says which', async () => {
    const { exitCode, stdout } = await look(await serveTls('stranger'), '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      domain: { ascii: SHOP },
      status: 'wrong',
      addresses: [{ address: '127.0.0.1' }],
      findings: [{ id: 'cert.wrong-name', severity: 'block' }],
    });
  });

  test('nothing at all: it may be on its way, exit code 8', async () => {
    const { exitCode, stdout } = await look(await closedPort(), '--json');
    expect(exitCode).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'pending',
      findings: [{ id: 'cert.pending' }, { id: 'cert.no-tls' }],
    });
  });

  test('on a terminal the verdict comes first', async () => {
    const port = await serveTls('shop');
    const where = ['--connect', '127.0.0.1', '--https-port', String(port), '--ca', AUTHORITY];
    const { stdout } = await runFake(['--mock', 'domain', 'cert', SHOP, ...where], {
      now: NOW,
      terminals: ['stdout'],
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toMatch(/^shop\.example\.test: certificate active\n/);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});

describe('without --connect', () => {
  test('addresses that are not of the Internet are left alone: exit code 9', async () => {
    await using dns = await serveDns();
    const { exitCode, stdout } = await runFake(['domain', 'cert', SHOP, '--json', ...dns.flags]);
    expect(exitCode).toBe(9);
    expect(JSON.parse(stdout).addresses[0]).toMatchObject({
      address: '192.0.2.80',
      result: expect.stringContaining('not probed'),
    });
  });

  test.each([
    ['missing.example.test', 1],
    ['shop.behind.test', 8],
  ])('the records of %s are not right: exit code %i, and who tells why', async (name, code) => {
    await using dns = await serveDns();
    const { exitCode, stdout, stderr } = await runFake(['domain', 'cert', name, ...dns.flags]);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toContain(`hint: petstore domain verify ${name} --target cname.platform.test --resolver `);
  });
});
