import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveHttp, serveHttps } from '../../../domain/loopback-servers.js';
import { runFake } from '../../../support/fake-context.js';
import { closedPort } from '../../../support/loopback-port.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { serveDns, TARGET } from './served-dns.js';

const AUTHORITY = join(import.meta.dirname, '../../../domain/certificates/root.pem');

function project(redirects: readonly object[]): string {
  return temporaryFolder({ 'petstore.config.json': { target: TARGET, redirects } });
}

describe('entries', () => {
  test('reports a loop from the data, without requests', async () => {
    const currentDirectory = project([
      { from: 'a.example.test', to: 'b.example.test', status: 301 },
      { from: 'b.example.test', to: 'a.example.test', status: 301 },
    ]);
    const line = 'domain redirects --connect 127.0.0.1 --http-port 1 --https-port 1 --json';
    const { exitCode, stdout } = await runFake(line, { currentDirectory });
    expect(exitCode).toBe(1);
    const { redirects, findings } = JSON.parse(stdout);
    expect(findings.map(({ id }: { id: string }) => id)).toEqual(['redirect.loop']);
    expect(redirects.flatMap(({ observed }: { observed: unknown[] }) => observed)).toEqual([]);
  });

  test.each([
    ['a.example.test', 'a>b b>c c>a', 'block'],
    ['B.example.test', 'a>b b>c c>b', 'block'],
    ['a.example.test', 'a>b b>c x>y y>x', 'warn'],
  ])('checks %s among all entries: %s', async (from, entries, severity) => {
    const hosts = entries.split(' ').map((entry) => entry.split('>').map((label) => `${label}.example.test`));
    const currentDirectory = project(hosts.map(([one, other]) => ({ from: one, to: other, status: 301 })));
    const port = String(await closedPort());
    const line = `domain redirects ${from} --connect 127.0.0.1 --http-port ${port} --https-port ${port} --json`;
    const { exitCode, stdout } = await runFake(line, { currentDirectory });
    expect(exitCode).toBe(1);
    const { redirects, findings } = JSON.parse(stdout) as {
      redirects: { from: string; observed: unknown[] }[];
      findings: { id: string; severity: string; message: string }[];
    };
    const ofEntries = findings.filter(({ id }) => id === 'redirect.loop');
    expect(ofEntries.map((finding) => finding.severity)).toEqual([severity]);
    expect(redirects.map((one) => one.from)).toEqual([from.toLowerCase()]);
    // A loop is not requested.
    expect(redirects[0]?.observed.length).toBe(severity === 'block' ? 0 : 2);
    expect(findings.every(({ message }) => message.startsWith(from.toLowerCase()))).toBe(true);
  });

  test('prints complete rows to a pipe', async () => {
    const currentDirectory = project([{ from: 'www.example.test', to: 'shop.example.test', status: 301 }]);
    const port = String(await closedPort());
    const line = `domain redirects --connect 127.0.0.1 --http-port ${port} --https-port ${port}`;
    const { stdout } = await runFake(line, { currentDirectory });
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t'));
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['www.example.test', 'shop.example.test', '301', expect.stringMatching(/^http:/)],
      ['www.example.test', 'shop.example.test', '301', expect.stringMatching(/^https:/)],
    ]);
    for (const [, , , , , result, reason] of rows) {
      expect([result, reason]).toEqual(['wrong', expect.stringMatching(/^redirect\.[a-z-]+: .*no response/)]);
    }
  });

  test.each([
    [301, 0],
    [302, 1],
  ])('served with status %i: exit code %i', async (status, code) => {
    const answer: Parameters<typeof serveHttp>[0] = ({ headers, url }, response) => {
      if (headers.host?.startsWith('shop.') === true) response.end();
      else response.writeHead(status, { location: `https://shop.example.test${url ?? ''}` }).end();
    };
    const [httpPort, httpsPort] = await Promise.all([serveHttp(answer), serveHttps(answer)]);
    const currentDirectory = project([{ from: 'www.example.test', to: 'shop.example.test', status: 301 }]);
    const ports = ['--http-port', String(httpPort), '--https-port', String(httpsPort)];
    const { exitCode, stdout } = await runFake(
      ['domain', 'redirects', '--connect', '127.0.0.1', '--ca', AUTHORITY, '--json', ...ports],
      { currentDirectory, now: Date.UTC(2026, 10, 21, 12) },
    );
    expect({ exitCode, findings: JSON.parse(stdout).findings }).toMatchObject({ exitCode: code });
    expect(JSON.parse(stdout).redirects[0].observed.length).toBeGreaterThan(0);
  });

  test('resolves hosts without --connect, and does not probe private addresses', async () => {
    await using dns = await serveDns();
    const currentDirectory = project([{ from: 'www.example.test', to: 'shop.example.test', status: 301 }]);
    const { exitCode, stdout } = await runFake(['domain', 'redirects', '--json', ...dns.flags], {
      currentDirectory,
    });
    expect(exitCode).toBe(9);
    expect(JSON.parse(stdout).redirects[0].observed).toEqual([
      { url: expect.stringMatching(/^http:/), trouble: expect.stringContaining('not probed') },
      { url: expect.stringMatching(/^https:/), trouble: expect.stringContaining('not probed') },
    ]);
  });

  test.each([
    [['MÜLLER.example.test'], []],
    [['other.example.test'], ['redirect.target']],
  ])('warns of a target outside %j', async (domains, ids) => {
    const redirects = [{ from: 'www.example.test', to: 'müller.example.test', status: 301 }];
    const currentDirectory = temporaryFolder({
      'petstore.config.json': { target: TARGET, domains, redirects },
    });
    const line = 'domain redirects --connect 127.0.0.1 --http-port 1 --https-port 1 --json';
    const { stdout } = await runFake(line, { currentDirectory });
    const { findings } = JSON.parse(stdout) as { findings: { id: string; severity: string }[] };
    expect(findings.filter(({ severity }) => severity === 'warn').map(({ id }) => id)).toEqual(ids);
  });
});

describe('a page', () => {
  test('begins with what to do about each entry', async () => {
    const hosts = ['redirect-status', 'redirect-target', 'redirect-no-path'].map(
      (label) => `${label}.example.test`,
    );
    const { exitCode, stdout } = await runFake(['--mock', 'domain', 'redirects', ...hosts], {
      terminals: ['stdout'],
      columns: 120,
      env: { NO_COLOR: '1' },
    });
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      'In the redirects of the project, set the status of redirect-status.example.test → example.test to 301.',
      '  Check for another redirect before it.',
      'In the redirects of the project, set the target of redirect-target.example.test to example.test.',
      '  Check for another redirect before it.',
      '3 redirects: 1 works, with a warning, 2 need a fix',
    ]);
    expect(stdout.match(/set the status/g)).toHaveLength(1);
    expect(stdout, 'a warning keeps its advice').toContain('    Keep path and query in the redirect.');
  });

  test('begins with the verdict if nothing needs a fix', async () => {
    const { stdout } = await runFake('--mock domain redirects redirect-no-path.example.test', {
      terminals: ['stdout'],
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toMatch(/^1 redirect: works, with a warning\n/);
  });
});
