import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test.each([['SIGINT', 130], ...(IS_FULL ? [['SIGTERM', 143] as const] : [])] as const)(
  '%s during --wait: reports state and resume command, exit code %i (SIGTERM with PETSTORE_TEST_FULL=1)',
  async (signal, code) => {
    const running = startCli(['--mock', 'domain', 'verify', 'missing.example.test', '--wait']);
    await running.seen('stderr', /missing\.example\.test: action required\. .*\. Next check in \d+ s\.\n/);
    running.child.kill(signal);
    const { exitCode, stdout, stderr } = await running.finished;
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toContain(
      'Interrupted. Last state of missing.example.test: action required.\n' +
        'To resume, run: petstore --mock domain verify missing.example.test --target cname.platform.test --wait\n',
    );
  },
);

test('petstore mock --dns-port: writes its address to the ready file, and serves a zone file', async () => {
  const folder = temporaryFolder({
    'own.zone': [
      '$ORIGIN own.test.',
      '$TTL 3600',
      '@ SOA ns1.dns.test. hostmaster.dns.test. 1 2h 15m 2w 15m',
      '@ NS ns1.dns.test.',
      'shop CNAME cname.platform.test.',
      '',
    ].join('\n'),
  });
  const readyFile = join(folder, 'ready.json');
  const mock = startCli([
    ...['mock', '--port', '0', '--dns-port', '0'],
    ...['--dns-zone', join(folder, 'own.zone'), '--ready-file', readyFile],
  ]);
  const [, flags = ''] = await mock.seen(
    'stdout',
    /^# DNS: petstore domain verify shop\.example\.test (.*)$/m,
  );
  const { dns } = JSON.parse(readFileSync(readyFile, 'utf8'));
  expect(flags).toContain(`--resolver ${dns.host}:${dns.port} --authoritative-port ${dns.port}`);
  expect(dns.addresses).toContain('127.0.0.1');

  const names = ['shop.example.test', 'shop.own.test'];
  const env = { PETSTORE_STATE_DIR: temporaryFolder() };
  const checked = await runResident(['domain', 'verify', ...names, ...flags.split(' '), '--json'], { env });
  expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(checked.stdout).domains).toMatchObject([{ state: 'verified' }, { zone: 'own.test' }]);
  mock.child.kill('SIGTERM');
  expect((await mock.finished).exitCode).toBe(0);
});
