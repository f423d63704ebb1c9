import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../../src/cli/context.js';
import { closedPort } from '../../../domain/loopback-servers.js';
import { runFake, type World } from '../../../support/fake-context.js';
import { parseLine } from '../../../support/parse-line.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { serveDns, TARGET } from './served-dns.js';

const DEFAULTS = {
  words: [],
  ask: { resolvers: [], usePublic: true },
  probe: {},
  certificate: true,
  wait: false,
  until: 'verified',
  strict: false,
};
const TERMINAL: World = { terminals: ['stdout'], env: { NO_COLOR: '1' } };

describe('flags', () => {
  test.each<[string, object]>([
    ['domain verify', {}],
    ['domain verify a.example.com b.example.com', { words: ['a.example.com', 'b.example.com'] }],
    ['domain verify --target T.example', { ask: { ...DEFAULTS.ask, target: 'T.example' } }],
    ['domain verify --apex', { ask: { ...DEFAULTS.ask, kind: 'apex' } }],
    ['domain verify --subdomain', { ask: { ...DEFAULTS.ask, kind: 'subdomain' } }],
    [
      'domain verify --resolver 127.0.0.1:5353 --resolver ::1 --no-public',
      { ask: { resolvers: ['127.0.0.1:5353', '::1'], usePublic: false } },
    ],
    [
      'domain verify --doh https://dns.example/dns-query --authoritative-port 5353',
      { ask: { ...DEFAULTS.ask, doh: 'https://dns.example/dns-query', authoritativePort: 5353 } },
    ],
    ['domain verify --plan Pro --deployed', { plan: 'pro', deployed: true }],
    ['domain verify --not-deployed --no-certificate', { deployed: false, certificate: false }],
    [
      'domain verify --connect ::1 --https-port 8443 --http-port 8080',
      { probe: { connect: '::1', httpsPort: 8443, httpPort: 8080 } },
    ],
    ['domain verify --wait --until active --strict', { wait: true, until: 'active', strict: true }],
    ['domain verify --verified-at 2026-11-21T13:00+01:00', { verifiedAt: Date.UTC(2026, 10, 21, 12) }],
    ['domain verify --issuer LetsEncrypt.org', { issuer: 'letsencrypt.org' }],
  ])('%s', async (line, options) => {
    expect(await parseLine(line)).toMatchObject({
      action: 'verifyDomains',
      options: { ...DEFAULTS, ...options },
    });
  });

  test('the longest wait is the global flag', async () => {
    expect((await parseLine('domain verify --wait --timeout 5m')).global.timeoutMs).toBe(300_000);
  });

  test.each([
    ['domain verify a.example --apex --subdomain', '--apex and --subdomain contradict each other'],
    ['domain verify a.example --deployed --not-deployed', '--deployed and --not-deployed contradict'],
    ['domain verify a.example --until active --no-certificate', '--until active and --no-certificate'],
    ['domain verify a.example --until live', '--until: "live" is not one of verified, active'],
    ['domain verify a.example --plan gold', '--plan: "gold" is not one of free, pro'],
    ['domain verify a.example --https-port 0', '--https-port: "0" is not a whole number from 1 to 65535'],
    ['domain verify a.example --target 192.0.2.1', 'hint: give the target as the dashboard shows it'],
    ['domain verify a.example --target cname_x.test', 'hint: give the target as the dashboard shows it'],
    ['domain verify a.example --connect a/b', '--connect: "a/b" is neither an address nor a host'],
    ['domain verify a.example --issuer nobody', '--issuer: "nobody" is no name of an authority'],
    ['domain verify a.example --verified-at 12:00', '--verified-at: "12:00" is no time in ISO 8601'],
    ['domain verify a.example --target t.example --verified-at 2099-01-01T00:00Z', 'is yet to come'],
    ['domain verify a.example', 'no target: it is not known where the domain is to point'],
    ['domain verify --target t.example.com', 'no domain given'],
    ['domain verify a.example --target t_t.example', '--target: "t_t.example" holds an underscore'],
    ['domain verify a.example --target t.example --ca nowhere.pem', '--ca: "nowhere.pem" can\'t be read'],
    ['domain verify a.example --target t.example -o ids', 'there is no id to print with -o ids'],
    ['domain verify a.example --target t.example --query [', '--query is wrong at column 2'],
    ['domain verify a.example --target t.example -o yaml --fields sate', 'unknown field "sate" in --fields'],
    ['domain verify a.example --target t.example --resolver a:b', 'not a resolver: "a:b"'],
    ['domain verify a.example --target t.example --doh ftp://a', 'not a URL of a resolver: "ftp://a"'],
    ['domain verify a.example --dry-run', '--dry-run shows requests to the service'],
    ['--mock domain verify a.example --resolver ::1', '--resolver and --mock contradict each other'],
    ['--mock domain verify', 'no domain given'],
    [
      '--mock domain verify shop.example.test --wait -o ndjson --fields state',
      '--fields and --wait -o ndjson',
    ],
    ['--mock domain verify shop.example.test --wait -o ndjson --query state', '--query and --wait -o ndjson'],
    ['--mock domain verify shop.example.test --until active', 'with --mock there is no certificate'],
  ])('%s: refused, and nothing is asked', async (line, message) => {
    const { exitCode, stdout, stderr } = await runFake(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('names', () => {
  test.each([
    ['https://shop.example.com/path', 'name.invalid', 'did you mean shop.example.com?'],
    ['192.0.2.1', 'name.ip', 'give the name of a host'],
    ['[2001:db8::1]', 'name.ip', 'give the name of a host'],
    ['shop.example.com:8080', 'name.invalid', 'did you mean shop.example.com?'],
    ['me@example.com', 'name.invalid', 'did you mean example.com?'],
    ['co.uk', 'name.public-suffix', 'give the name of a host'],
    ['*.example.com', 'name.wildcard', 'did you mean example.com?'],
    ['a_b.example.com', 'name.invalid', 'give the name of a host'],
    [`${'a'.repeat(64)}.example.com`, 'name.invalid', 'give the name of a host'],
    [`${'a.'.repeat(124)}abc.com`, 'name.invalid', 'give the name of a host'],
    ['', 'name.invalid', 'give the name of a host'],
    ['localhost', 'name.invalid', 'give the name of a host'],
  ])('%s: exit code 2, and not one question', async (name, id, hint) => {
    await using dns = await serveDns();
    const { exitCode, stdout, stderr } = await runFake([
      ...['domain', 'verify', 'shop.example.test', name],
      ...dns.flags,
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`(${id})\nhint: ${hint}`);
    expect(dns.mock.dns?.journal).toEqual([]);
  });
});

test('the target itself among the domains: refused, and nothing is asked', async () => {
  await using dns = await serveDns();
  const { exitCode, stdout, stderr } = await runFake([
    ...['domain', 'verify', 'shop.example.test', TARGET.toUpperCase(), '--wait'],
    ...dns.flags,
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(`the target is the domain itself: ${TARGET}`);
  expect(dns.mock.dns?.journal).toEqual([]);
});

describe('with --mock', () => {
  test.each([
    ['shop.example.test', 0, 'verified'],
    ['missing.example.test', 1, 'action-required'],
    ['wrong.example.test', 1, 'action-required'],
    ['moved.example.test', 8, 'propagating'],
    ['shop.silent.test', 9, 'inconclusive'],
    ['unregistered.test', 1, 'action-required'],
    // The certificate is another matter, asked for with --until active.
    ['shop.caa-blocked.test', 0, 'verified'],
  ])('%s: exit code %i, %s', { timeout: 30_000 }, async (name, code, state) => {
    const { exitCode, stdout, stderr } = await runFake(`--mock domain verify ${name} --json`);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ state, domain: { ascii: name } });
  });

  test('one domain as JSON is the report, with commands that can be run again', async () => {
    const { stdout } = await runFake('--mock domain verify missing.example.test -o json');
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      kind: 'subdomain',
      zone: 'example.test',
      decidedBy: 'zone-cut',
      expected: [{ type: 'CNAME', label: 'missing', value: TARGET, ttl: 3600 }],
      findings: expect.arrayContaining([
        expect.objectContaining({ id: 'record.missing', severity: 'block' }),
      ]),
      observed: { recursive: [] },
    });
    expect(report.next).not.toEqual([]);
    for (const { command } of report.next) expect(command).toMatch(/^petstore --mock domain /);
  });

  test('a field that a report need not have can be asked for', async () => {
    const { exitCode, stdout } = await runFake(
      '--mock domain verify shop.example.test --json state,certificate',
    );
    expect({ exitCode, report: JSON.parse(stdout) }).toEqual({ exitCode: 0, report: { state: 'verified' } });
  });

  test('when it was verified can be asked for', async () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const { stdout } = await runFake('--mock domain verify shop.example.test --json verifiedAt', { now });
    expect(JSON.parse(stdout)).toEqual({ verifiedAt: '2026-11-21T12:00:00.000Z' });
  });

  test('a row tells what has to be changed, also of a domain that is verified', async () => {
    const { exitCode, stdout } = await runFake(
      '--mock domain verify shop.caa-blocked.test shop.example.test -o tsv',
    );
    const [blocked, right] = stdout.split('\n').map((row) => row.split('\t'));
    expect([exitCode, blocked?.[2], right?.[3]]).toEqual([0, 'verified', '']);
    expect(blocked?.[3]).toContain('CAA');
  });

  test('a row tells what --strict takes for a failure', async () => {
    const line = '--mock domain verify long-ttl.example.test --strict -o tsv';
    const { exitCode, stdout } = await runFake(line);
    expect(exitCode).toBe(1);
    expect(stdout.trimEnd().split('\t')[3]).toContain('TTL');
  });

  test('there is no certificate to look at, and so nothing is said of one', async () => {
    const { stdout } = await runFake('--mock domain verify shop.example.test --json');
    const { certificate, findings } = JSON.parse(stdout);
    expect(certificate).toBeUndefined();
    expect(findings.filter(({ axis }: { axis: string }) => axis === 'certificate')).toEqual([]);
  });

  test('several domains are one document with the worst exit code', async () => {
    const line = '--mock domain verify shop.example.test moved.example.test missing.example.test';
    const { exitCode, stdout } = await runFake(`${line} --json`);
    expect(exitCode).toBe(1);
    const { domains, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ exitCode: 1 });
    expect(domains.map(({ state }: { state: string }) => state)).toEqual([
      'verified',
      'propagating',
      'action-required',
    ]);
  });

  test('piped it is a row for each domain, and ndjson a line', async () => {
    const line = '--mock domain verify shop.example.test missing.example.test';
    const { stdout } = await runFake(line);
    expect(stdout).toBe(
      'shop.example.test\tsubdomain\tverified\t\n' +
        'missing.example.test\tsubdomain\taction-required\tAdd CNAME missing -> cname.platform.test, TTL 3600.\n',
    );
    const lines = (await runFake(`${line} -o ndjson`)).stdout.trimEnd().split('\n');
    expect(lines.map((text) => JSON.parse(text).state)).toEqual(['verified', 'action-required']);
  });

  test('a name given twice is checked once', async () => {
    const { stdout } = await runFake('--mock domain verify SHOP.example.test shop.example.test.');
    expect(stdout.split('\n')).toHaveLength(2);
  });

  test('--strict takes a warning for a failure', async () => {
    const line = '--mock domain verify long-ttl.example.test --json';
    expect((await runFake(line)).exitCode).toBe(0);
    expect((await runFake(`${line} --strict`)).exitCode).toBe(1);
  });

  test('the plan and the deploy are taken as told', async () => {
    const line = '--mock domain verify shop.example.test -o json';
    const { exitCode, stdout } = await runFake(`${line} --plan free --not-deployed`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('plan.required');
    expect(stdout).toContain('deploy.required');
  });
});

describe('on a terminal', () => {
  test.each([
    'shop.example.test',
    'xn--mnchen-3ya.example.test',
    'xn--9ckk6c.example.test',
    'missing.example.test',
    'mail.example.test',
    'wrong.example.test',
    'missing-dot.example.test',
    'doubled.example.test',
    'loop.example.test',
    'control.example.test',
    'blocked.example.test',
    'https.example.test',
    'shop.behind.test',
    'shop.ns-mismatch.test',
    'apex-cname.test',
    'elsewhere.test',
    'moved.example.test',
    'fresh.example.test',
    'unlucky.example.test',
    'hostile.example.test',
    'shop.caa-critical.test',
  ])('%s: no line is wider than 80 columns, and none can drive it', { timeout: 30_000 }, async (name) => {
    const { stdout } = await runFake(`--mock domain verify ${name}`, TERMINAL);
    // Katakana takes two columns.
    const widths = stdout.split('\n').map((line) => line.length + (line.match(/[ァ-ヺ]/g)?.length ?? 0));
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  });

  test('the verdict comes first, then what to do, and the evidence below', async () => {
    const { stdout } = await runFake('--mock domain verify blocked.example.test', TERMINAL);
    expect(stdout.split('\n')[0]).toBe('✗ blocked.example.test: action required');
    const order = ['What to do', 'Remove:', 'The record to have:', 'Name servers of', 'Evidence', 'Next'];
    const places = order.map((heading) => stdout.indexOf(heading));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(stdout).toMatch(/^ {2}dig \+norecurse -p \d+ @127\.0\.0\.1 blocked\.example\.test A$/m);
  });

  test('both spellings of a name are shown', async () => {
    const { stdout } = await runFake('--mock domain verify ペット.example.test', TERMINAL);
    expect(stdout).toMatch(/^✗ ペット\.example\.test \(xn--9ckk6c\.example\.test\): action required\n/);
  });

  test('what is to be waited for has an end', async () => {
    const { stdout } = await runFake('--mock domain verify moved.example.test', TERMINAL);
    expect(stdout).toMatch(/Visible by [\d :-]+ at the latest \(in 1 h\)/);
  });

  test.each([40, 80, 120])(
    '%i columns: what people copy is whole, and notes keep to the width',
    async (columns) => {
      const world = { ...TERMINAL, columns };
      const one = await runFake('--mock domain verify blocked.example.test', world);
      expect(one.stdout).toMatch(/ cname\.platform\.test\n| cname\.platform\.test +3600\n/);
      expect(one.stdout).toMatch(/(A 198\.51\.100\.9|AAAA 2001:db8:bad::9) *\n/);
      const many = await runFake('--mock domain verify missing.example.test wrong.example.test', world);
      for (const { stdout, stderr } of [one, many]) {
        expect(stdout).not.toContain('…');
        const widths = `${stdout}\n${stderr}`.split('\n').map((line) => line.length);
        expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
      }
    },
  );

  test('symbols and colours are for terminals', async () => {
    const piped = await runFake('--mock domain verify shop.example.test -o table', { env: {} });
    expect(piped.stdout).toMatch(/^shop\.example\.test: verified\n/);
    const colored = await runFake('--mock domain verify shop.example.test', {
      terminals: ['stdout'],
      env: { TERM: 'xterm' },
    });
    expect(colored.stdout).toMatch(/^\x1b\[32m✓ shop\.example\.test: verified\x1b\[39m\n/);
  });
});

describe('petstore.config.json', () => {
  test('names the domains, the target, the plan and the deploy', async () => {
    await using dns = await serveDns();
    const currentDirectory = temporaryFolder({
      'petstore.config.json': {
        target: TARGET,
        plan: 'free',
        deployed: true,
        domains: ['shop.example.test', 'www.example.test'],
      },
    });
    const where = dns.flags.slice(0, 4);
    const { exitCode, stdout } = await runFake(['domain', 'verify', '--no-certificate', '--json', ...where], {
      currentDirectory,
    });
    expect(exitCode).toBe(1);
    const { domains } = JSON.parse(stdout);
    expect(domains.map((report: { domain: { ascii: string } }) => report.domain.ascii)).toEqual([
      'shop.example.test',
      'www.example.test',
    ]);
    expect(domains[0].findings[0].id).toBe('plan.required');
  });

  test('redirects of one domain are judged among all', async () => {
    await using dns = await serveDns();
    const hosts = ['shop.example.test', 'www.example.test', 'old.example.test'];
    const redirects = hosts.map((from, index) => ({ from, to: hosts[(index + 1) % 3], status: 301 }));
    const currentDirectory = temporaryFolder({
      'petstore.config.json': { target: TARGET, domains: ['SHOP.example.test'], redirects },
    });
    const line = ['domain', 'verify', '--no-certificate', '--json', ...dns.flags];
    const { findings } = JSON.parse(
      (await runFake(line, { currentDirectory, env: { PETSTORE_STATE_DIR: temporaryFolder() } })).stdout,
    );
    const blocking = findings.filter(({ severity }: { severity: string }) => severity === 'block');
    expect(blocking.map(({ id }: { id: string }) => id)).toEqual(['redirect.loop']);
  });

  test('a wrong entry is named by its place, before anything is asked', async () => {
    const currentDirectory = temporaryFolder({
      'petstore.config.json': { redirects: [{ from: 'a.example', to: 'b.example', status: '301' }] },
    });
    const { exitCode, stderr } = await runFake('domain verify a.example', { currentDirectory });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('redirects[0].status in ');
  });
});

describe('next commands', () => {
  test('ask where this one asked', async () => {
    await using dns = await serveDns();
    const { stdout } = await runFake(['domain', 'verify', 'missing.example.test', '--json', ...dns.flags]);
    const [first] = JSON.parse(stdout).next;
    expect(first.command).toBe(
      `petstore domain records missing.example.test --target ${TARGET} ${dns.flags.slice(0, 4).join(' ')}`,
    );
  });
});

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

  test('takes name servers and addresses of the user for a trial: when that was right is not remembered', async () => {
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
  ])('when a domain was verified %s', async (_, flags, left) => {
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

  test('takes the time that is told, with no state at all', async () => {
    const told = ['--verified-at', '2026-11-21T11:29:59Z'];
    expect(await verify('shop.example.test', NOON, temporaryFolder(), ...told)).toEqual({
      exitCode: 1,
      certificate: 'cert.overdue',
    });
  });
});

describe('--wait', () => {
  test('of several domains: each tells its changes, and the reports come in their order', async () => {
    const names = 'missing.example.test shop.example.test wrong.example.test';
    const line = `--mock domain verify ${names} --wait --timeout 40s`;
    const { exitCode, stdout, stderr } = await runFake(line);
    expect(exitCode).toBe(8);
    expect(stdout.split('\n').map((row) => row.split('\t')[2])).toEqual([
      ...['action-required', 'verified', 'action-required', undefined],
    ]);
    for (const name of ['missing.example.test', 'wrong.example.test']) {
      expect(stderr).toContain(`${name}: action required. `);
      expect(stderr).toContain(`${name}: the wait is over`);
    }
    expect(stderr).not.toContain('shop.example.test');
  });

  test('of several domains that is stopped goes on with those that are left', async () => {
    const stopping = new AbortController();
    const line = '--mock domain verify shop.example.test missing.example.test wrong.example.test --wait';
    let told = 0;
    const { exitCode, stderr } = await runFake(line, {
      signal: stopping.signal,
      onNote: (text) => {
        if (text.includes('next check')) told += 1;
        if (told === 2) stopping.abort(new Interruption(130));
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(
      /go on with: petstore --mock domain verify (shop\.example\.test )?missing\.example\.test wrong\.example\.test --target/,
    );
    expect(stderr).toContain('wrong.example.test: action required when it was stopped\n');
  });

  test('ends when it is right', async () => {
    await using dns = await serveDns();
    const running = runFake(
      ['domain', 'verify', 'missing.example.test', '--wait', '--no-certificate', ...dns.flags],
      {
        env: { PETSTORE_STATE_DIR: temporaryFolder() },
        onNote: (text) => {
          if (text.includes('next check'))
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
      /^[\d: -]+ missing\.example\.test: action required\. Add CNAME missing -> .*; next check in \d+ s\n$/,
    );
  });

  test('that runs out is pending, whatever stood in the way', async () => {
    const line = '--mock domain verify missing.example.test --wait --timeout 40s';
    const { exitCode, stdout, stderr } = await runFake(line);
    expect(exitCode).toBe(8);
    expect(stdout).toContain('action-required');
    expect(stderr).toContain('missing.example.test: the wait is over, and it is not there yet\n');
  });

  test('streams events as ndjson, and the end is one', async () => {
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

  test('that is stopped says how to go on, with every flag', async () => {
    const stopping = new AbortController();
    const flags = '--wait --issuer ca.example --plan pro --strict --timeout 50s';
    const { exitCode, stderr } = await runFake(`--mock domain verify missing.example.test ${flags}`, {
      signal: stopping.signal,
      onNote: (text) => {
        if (text.includes('next check')) stopping.abort(new Interruption(130));
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain(
      `go on with: petstore --mock domain verify missing.example.test --target ${TARGET} --wait ` +
        '--plan pro --issuer ca.example --strict --timeout 50s\n',
    );
  });

  test('is over at once where it can not help', async () => {
    const { exitCode } = await runFake('--mock domain verify shop.example.test --wait --plan free');
    expect(exitCode).toBe(1);
  });
});

test.each([
  ['shop.example.test', 'state', 'verified\n'],
  ['shop.example.test missing.example.test', 'domains[].state', 'verified\naction-required\n'],
])(
  'a query is put to the whole document, also piped: %s --query %s',
  { timeout: 30_000 },
  async (names, query, out) => {
    const { stdout } = await runFake(`--mock domain verify ${names} --query ${query}`);
    expect(stdout).toBe(out);
  },
);
