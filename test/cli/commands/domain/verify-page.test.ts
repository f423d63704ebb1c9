import { describe, expect, test } from 'vitest';
import { runFake, type World } from '../../../support/fake-context.js';

const TERMINAL: World = { terminals: ['stdout'], env: { NO_COLOR: '1' } };

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
    'shop.dnssec.test',
  ])('%s: prints lines within 80 columns, without control characters', { timeout: 30_000 }, async (name) => {
    const { stdout } = await runFake(`--mock domain verify ${name}`, TERMINAL);
    // Katakana takes two columns.
    const widths = stdout.split('\n').map((line) => line.length + (line.match(/[ァ-ヺ]/g)?.length ?? 0));
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(stdout).not.toMatch(/Otherwise:\n/);
  });

  test.each(['shop.example.test', 'example.test', 'alias.test', 'chain.example.test', 'shop.caa-ok.test'])(
    '%s: a correct domain takes at most 12 lines, without servers and evidence',
    async (name) => {
      const { stdout, exitCode } = await runFake(`--mock domain verify ${name}`, TERMINAL);
      expect(exitCode).toBe(0);
      expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
      expect(stdout).toMatch(/^✓ .*: verified\n/);
      for (const line of [/^ {2}Record: .* -> /m, /^ {2}Certificate: /m, /^ {2}Check again: /m])
        expect(stdout).toMatch(line);
      expect(stdout).not.toMatch(/Name servers of|Resolvers|Evidence|127\.0\.0/);
    },
  );

  test('prints every query with -v, within 80 columns', async () => {
    const { stdout } = await runFake('--mock domain verify -v truncated.example.test', TERMINAL);
    const [, trace = ''] = stdout.split('\nQueries\n');
    const lines = trace.split('\n\n')[0]?.split('\n') ?? [];
    expect(lines[0]).toMatch(/^ +TIME {2}VIA {2}RESPONSE {2}AA {2}QUERY$/);
    const [name, server] = ['truncated\\.example\\.test', 'ns1\\.example\\.test\\s+\\(127\\.0\\.0\\.1\\)'];
    expect(trace).toMatch(new RegExp(` \\d+ ms {2}tcp {2}NOERROR +aa {2}${name} A @${server}`));
    expect(trace).toMatch(/ \d+ ms {2}udp {2}NOERROR +test NS @127\.0\.0\.1/);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test('prints servers and evidence of a correct domain with -v only', async () => {
    const { stdout } = await runFake('--mock domain verify -v shop.example.test', TERMINAL);
    for (const heading of ['What is correct', 'Name servers of example.test', 'Resolvers,', 'Evidence'])
      expect(stdout).toContain(`\n${heading}`);
  });

  test('prints servers, evidence and queries on stderr with -v if stdout is a pipe', async () => {
    const piped = await runFake('--mock domain verify -v shop.example.test');
    expect(piped.stdout).toBe('shop.example.test\tsubdomain\tverified\t\n');
    for (const title of ['Name servers of', 'Evidence', 'Queries'])
      expect(piped.stderr).toContain(`\n${title}`);
    expect((await runFake('--mock domain verify shop.example.test')).stderr).toBe('');
  });

  test('prints whole reports of several domains with -v', async () => {
    const { stdout } = await runFake('--mock domain verify -v shop.example.test www.example.test', TERMINAL);
    expect(stdout.match(/^Evidence$/gm)).toHaveLength(2);
    expect(stdout).toMatch(/\n\n2 domains: 2 verified\.\n$/);
  });

  test('prints what to do, then the reasons, then the evidence with -v', async () => {
    const { stdout } = await runFake('--mock domain verify -v large.example.test', TERMINAL);
    expect(stdout).toMatch(/^Edit at the DNS provider of ns1\.example\.test /);
    const order = [
      'CNAME  large',
      '✗ large.example.test: action required',
      'Name servers of',
      'Evidence',
      'Next',
    ];
    const places = order.map((heading) => stdout.indexOf(heading));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  test('prints no dig command for a name server that ends with the command', async () => {
    const { stdout, stderr } = await runFake('--mock domain verify -v blocked.example.test', TERMINAL);
    expect(stdout).toContain('\nEvidence\n  ns1.example.test (127.0.0.1): A 198.51.100.9, TTL 3600\n');
    expect(stdout + stderr).not.toContain('dig ');
    const json = await runFake('--mock domain verify blocked.example.test --json');
    expect(json.stdout).toContain('"evidence"');
    expect(json.stdout).not.toContain('dig ');
  });

  test.each([40, 80, 120])(
    '%i columns: does not break text to copy, and wraps notes to the width',
    async (columns) => {
      const world = { ...TERMINAL, columns };
      const one = await runFake('--mock domain verify blocked.example.test', world);
      expect(one.stdout).toMatch(/ cname\.platform\.test\n| cname\.platform\.test +3600\n/);
      expect(one.stdout).toMatch(/198\.51\.100\.9[ ,\n]/);
      const many = await runFake('--mock domain verify missing.example.test wrong.example.test', world);
      for (const { stdout, stderr } of [one, many]) {
        expect(stdout).not.toContain('…');
        const widths = `${stdout}\n${stderr}`.split('\n').map((line) => line.length);
        expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
      }
    },
  );

  test.each(['', '--fields domain,todo'])('says why one of several domains is invalid %s', async (fields) => {
    const { exitCode, stdout } = await runFake(
      `--mock domain verify a..b.test shop.example.test -o table ${fields}`,
      { terminals: ['stdout'], env: { NO_COLOR: '1', PETSTORE_FORCE_TTY: '200' } },
    );
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/"a\.\.b\.test" has an empty label: .+ Did you mean "a\.b\.test"\?/);
  });

  test('uses symbols and colours on a terminal only', async () => {
    const piped = await runFake('--mock domain verify shop.example.test -o table', { env: {} });
    expect(piped.stdout).toMatch(/^shop\.example\.test: verified\n/);
    const colored = await runFake('--mock domain verify shop.example.test', {
      terminals: ['stdout'],
      env: { TERM: 'xterm' },
    });
    expect(colored.stdout).toMatch(/^\x1b\[32m✓ shop\.example\.test: verified\x1b\[39m\n/);
  });
});
