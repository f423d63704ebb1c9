import { describe, expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const LINE = '--mock domain records';

describe('flags', () => {
  test.each([
    ['domain verify a.example -o zone', '--output: "zone" is not one of table'],
    ['pets list -o terraform', '--output: "terraform" is not one of table'],
    ['domain records a.example -o zome', '--output: "zome" is not one of table'],
    ['domain records a.example -o zone --fields type', "--fields can't be combined with -o zone"],
    ['domain records a.example -o zone --query a', "--query can't be combined with -o zone"],
    ['domain records a.example --target t.example -o ids', 'The data has no id to print'],
  ])('rejects %s', async (line, message) => {
    const { exitCode, stdout, stderr } = await runFake(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

test('-o zone prints a zone file with each zone once', async () => {
  const names = 'missing.example.test shop.behind.test example.test';
  const { exitCode, stdout } = await runFake(`${LINE} ${names} --output=zone`);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: [
      '$ORIGIN example.test.',
      'missing 3600 IN CNAME cname.platform.test.',
      '; ALIAS (or ANAME) is not standard DNS. If your provider supports it, remove the semicolon:',
      '; @ 3600 IN ALIAS cname.platform.test.',
      '',
      '$ORIGIN behind.test.',
      'shop 3600 IN CNAME cname.platform.test.',
      '',
    ].join('\n'),
  });
});

test('-o terraform warns of records to remove', async () => {
  const { stdout, stderr } = await runFake(`-o terraform ${LINE} blocked.example.test`);
  expect(stdout).toBe(
    [
      'resource "dns_cname_record" "blocked_example_test" {',
      '  zone  = "example.test."',
      '  name  = "blocked"',
      '  cname = "cname.platform.test."',
      '  ttl   = 3600',
      '}',
      '',
    ].join('\n'),
  );
  expect(stderr).toBe(
    'warning: blocked.example.test: Edit at the DNS provider of ns1.example.test (listed at your registrar): replace the A and AAAA "blocked" of example.test with this CNAME\n',
  );
});

test('prints TSV to a pipe: type, label, name, value, TTL', async () => {
  const { stdout } = await runFake(`${LINE} missing.example.test shop.team.example.test`);
  expect(stdout).toBe(
    'CNAME\tmissing\tmissing.example.test\tcname.platform.test\t3600\n' +
      'CNAME\tshop\tshop.team.example.test\tcname.platform.test\t3600\n',
  );
});

test('prints one plan or a document of plans as JSON', async () => {
  const one = JSON.parse((await runFake(`${LINE} blocked.example.test --json`)).stdout);
  expect(one).toMatchObject({
    zone: 'example.test',
    expected: [{ type: 'CNAME', label: 'blocked' }],
    remove: [{ type: 'A' }, { type: 'AAAA' }],
    todo: [{ action: 'edit' }],
    visibleInSeconds: 3600,
  });
  // The servers of --mock end with the command, so a dig command would fail.
  expect(one.findings).not.toHaveLength(0);
  expect(JSON.stringify(one.findings)).not.toContain('dig ');
  const two = JSON.parse((await runFake(`${LINE} blocked.example.test example.test --json`)).stdout);
  expect(two.domains.map(({ kind }: { kind: string }) => kind)).toEqual(['subdomain', 'apex']);
  const lines = (await runFake(`${LINE} blocked.example.test example.test -o ndjson`)).stdout.split('\n');
  expect(lines).toHaveLength(3);
});

test('--apex overrides the zone', async () => {
  const { stdout } = await runFake(`${LINE} missing.example.test --apex --json`);
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'apex', decidedBy: 'override' });
});

test.each(['unregistered.test', 'hostile.example.test', 'shop.failing.test'])(
  '%s, without a response: prints the plan and warns',
  async (name) => {
    for (const format of ['-o zone', '-o json', '']) {
      const { exitCode, stdout, stderr } = await runFake(`${LINE} ${name} ${format}`);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('cname.platform.test');
      expect(stderr).toContain(
        `warning: No name server returned the current records of ${name}. The zone is a guess ` +
          'from the public suffix list. To find the reason, run: ' +
          `petstore --mock domain verify ${name} --target cname.platform.test\n`,
      );
    }
  },
);

test('does not warn if the current records are known', async () => {
  expect((await runFake(`${LINE} missing.example.test shop.chain.example.test`)).stderr).toBe('');
});

test('warns of problems that no record fixes', async () => {
  const { stdout, stderr } = await runFake(`${LINE} shop.split.test shop.ns-mismatch.test`);
  expect(stdout.split('\n')).toHaveLength(3);
  expect(stderr.match(/\[zone\.[a-z-]+\]$/gm)).toEqual([
    '[zone.split-providers]',
    '[zone.split-providers]',
    '[zone.ns-mismatch]',
  ]);
});

test('shortens a long value in a warning, and prints it whole in JSON', async () => {
  const { stderr } = await runFake(`${LINE} large.example.test`);
  expect(stderr.length).toBeLessThan(400);
  const { stdout } = await runFake(`${LINE} large.example.test --json`);
  expect(JSON.parse(stdout).remove[0].value.length).toBeGreaterThan(1_000);
});

test('warns of records at another name than the domain', async () => {
  const { stderr } = await runFake(`${LINE} doubled.example.test shop.caa-critical.test`);
  expect(stderr).toContain('rename the CNAME "doubled.example.test" of example.test to "doubled"\n');
  expect(stderr).toContain(': the CAA "@" of caa-critical.test\n');
});

test('lists a missing CAA record in a zone file', async () => {
  const { stdout, stderr } = await runFake(`${LINE} shop.caa-blocked.test -o zone`);
  expect(stdout).toContain('@ 3600 IN CAA 0 issue "letsencrypt.org"\n');
  expect(stderr).toContain(': the CAA "@" of caa-blocked.test\n');
});

test('tells that a record of another form needs no change', async () => {
  const { stderr } = await runFake(`${LINE} chain.example.test`);
  expect(stderr).toContain(
    'chain.example.test needs no change: CNAME hop.example.test leads to cname.platform.test already.',
  );
});

describe('on a terminal', () => {
  test('prints the change, the reason, what is there now and how long it lasts', async () => {
    const { stdout } = await runFake(`${LINE} blocked.example.test`, {
      terminals: ['stdout'],
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toBe(
      [
        'Edit at the DNS provider of ns1.example.test (listed at your registrar): replace',
        '  the A and AAAA "blocked" of example.test with this CNAME',
        '  TYPE   NAME     VALUE                 TTL',
        '  CNAME  blocked  cname.platform.test  3600',
        '',
        'blocked.example.test, in the zone example.test',
        '  - blocked.example.test has A 198.51.100.9 and AAAA 2001:db8:bad::9 instead of',
        '    the CNAME. [conflict.address]',
        '  Now:',
        '    TYPE  NAME     VALUE             TTL',
        '    A     blocked  198.51.100.9     3600',
        '    AAAA  blocked  2001:db8:bad::9  3600',
        '  Keep the old server running: visitors may get it for 1 h after the change.',
        '',
      ].join('\n'),
    );
  });

  test('shows the CAA record that is missing', async () => {
    const { stdout } = await runFake(`${LINE} shop.caa-blocked.test`, {
      terminals: ['stdout'],
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toContain('  CAA   @     0 issue "letsencrypt.org"  3600\n');
    expect(stdout).toContain('The record exists already.\n');
    expect(stdout).toMatch(/Keep the other\s+records\.\n$/);
    expect(stdout).not.toContain('Now:');
  });

  test.for([
    ['chain', 'hop.example.test'],
    ['renamed.old', 'renamed.new.example.test'],
  ])('shows the accepted record of %s.example.test', async ([label, value]) => {
    const { stdout } = await runFake(`${LINE} ${label}.example.test`, {
      terminals: ['stdout'],
      env: { NO_COLOR: '1' },
    });
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`CNAME ${label} ${value} 3600`);
    expect(text).toContain(`CNAME ${value} leads to cname.platform.test already. No action is needed.`);
    expect(text).not.toContain('exists already');
  });

  test('states why the current records are unknown', async () => {
    const { stdout, stderr } = await runFake(`${LINE} broken-alias.test hostile.example.test`, {
      terminals: ['stdout'],
    });
    expect(stdout).toContain('The current records are unknown');
    expect(stderr).toContain(
      'No name server returned the current records of broken-alias.test, hostile.example.test.',
    );
  });

  test('keeps lines within 80 columns', async () => {
    const names = 'xn--9ckk6c.example.test shop.example.test empty.test shop.silent.test wrong.example.test';
    const { stdout } = await runFake(`${LINE} ${names}`, { terminals: ['stdout'], env: { NO_COLOR: '1' } });
    expect(stdout).toContain('ペット.example.test (xn--9ckk6c.example.test)');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }, 30_000);
});

test.each(['records', 'verify'])(
  '--mock domain %s uses the domains in .test of the project file',
  async (verb) => {
    const currentDirectory = temporaryFolder({
      'petstore.config.json': '{ "domains": ["shop.example.com", "shop.example.test"] }',
    });
    const { stdout } = await runFake(`--mock domain ${verb} --json`, { currentDirectory });
    expect(JSON.parse(stdout)).toMatchObject({ domain: { ascii: 'shop.example.test' } });
  },
);
