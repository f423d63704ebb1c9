import { describe, expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { serveDns, TARGET } from './served-dns.js';

describe('with --mock', () => {
  test.each([
    ['shop.example.test', 0, 'verified'],
    ['missing.example.test', 1, 'action-required'],
    ['wrong.example.test', 1, 'action-required'],
    ['moved.example.test', 8, 'propagating'],
    ['shop.silent.test', 9, 'inconclusive'],
    ['unregistered.test', 1, 'action-required'],
    ['shop.caa-blocked.test', 1, 'action-required'],
  ])('%s: exit code %i, %s', { timeout: 30_000 }, async (name, code, state) => {
    const { exitCode, stdout, stderr } = await runFake(`--mock domain verify ${name} --json`);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ state, domain: { ascii: name } });
  });

  test('prints one report as JSON, with commands for the mock', async () => {
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

  test('prints verifiedAt', async () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const { stdout } = await runFake('--mock domain verify shop.example.test --json verifiedAt', { now });
    expect(JSON.parse(stdout)).toEqual({ verifiedAt: '2026-11-21T12:00:00.000Z' });
  });

  test('-v adds the trace of all queries to JSON, and --thorough adds rare types', async () => {
    const typesOf = async (flags: string): Promise<string[] | undefined> => {
      const { stdout } = await runFake(`--mock domain verify shop.example.test -o json ${flags}`);
      return JSON.parse(stdout).trace?.map(({ type }: { type: string }) => type);
    };
    expect(await typesOf('')).toBeUndefined();
    const types = await typesOf('-v');
    expect(types).toContain('MX');
    expect(types).not.toContain('SRV');
    expect(await typesOf('-v --thorough')).toContain('SRV');
  });

  test('--json trace needs -v', async () => {
    const line = '--mock domain verify shop.example.test --json trace';
    const { exitCode, stderr } = await runFake(line);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({
      message: 'The field "trace" needs -v',
      hint: 'Add -v, which records every DNS query.',
    });
    const { stdout } = await runFake(`${line} -v`);
    expect(JSON.parse(stdout).trace).toContainEqual(
      expect.objectContaining({ type: 'NS', transport: 'udp' }),
    );
  });

  test('--no-certificate leaves out CAA', async () => {
    const { exitCode, stdout } = await runFake(
      '--mock domain verify shop.caa-blocked.test --no-certificate --json state,findings',
    );
    expect(exitCode).toBe(0);
    const { state, findings } = JSON.parse(stdout);
    expect(state).toBe('verified');
    expect(findings.filter(({ axis }: { axis: string }) => axis === 'caa')).toEqual([]);
  });

  test('a row shows why --strict fails', async () => {
    const line = '--mock domain verify long-ttl.example.test --strict -o tsv';
    const { exitCode, stdout } = await runFake(line);
    expect(exitCode).toBe(1);
    expect(stdout.trimEnd().split('\t')[3]).toContain('TTL');
  });

  test('prints several domains as one document with the worst exit code', async () => {
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

  test('prints a row for each domain to a pipe, and a line as ndjson', async () => {
    const line = '--mock domain verify shop.example.test missing.example.test';
    const { stdout } = await runFake(line);
    expect(stdout).toBe(
      'shop.example.test\tsubdomain\tverified\t\n' +
        'missing.example.test\tsubdomain\taction-required\tAdd at the DNS provider of ns1.example.test (listed at your registrar): the CNAME "missing" of example.test. Add CNAME missing -> cname.platform.test, TTL 3600.\n',
    );
    const lines = (await runFake(`${line} -o ndjson`)).stdout.trimEnd().split('\n');
    expect(lines.map((text) => JSON.parse(text).state)).toEqual(['verified', 'action-required']);
  });

  test('checks a repeated name once', async () => {
    const { stdout } = await runFake('--mock domain verify SHOP.example.test shop.example.test.');
    expect(stdout.split('\n')).toHaveLength(2);
  });

  test('--strict exits 1 on a warning', async () => {
    const line = '--mock domain verify long-ttl.example.test --json';
    expect((await runFake(line)).exitCode).toBe(0);
    expect((await runFake(`${line} --strict`)).exitCode).toBe(1);
  });

  test('uses the given plan and deploy', async () => {
    const line = '--mock domain verify shop.example.test -o json';
    const { exitCode, stdout } = await runFake(`${line} --plan free --not-deployed`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('plan.required');
    expect(stdout).toContain('deploy.required');
  });
});

describe('next commands', () => {
  test('query the same servers', async () => {
    await using dns = await serveDns();
    const { stdout } = await runFake(['domain', 'verify', 'missing.example.test', '--json', ...dns.flags]);
    const [first] = JSON.parse(stdout).next;
    expect(first.command).toBe(
      `petstore domain records missing.example.test --target ${TARGET} ${dns.flags.slice(0, 4).join(' ')}`,
    );
  });
});

test.each([
  ['shop.example.test', 'state', 'verified\n'],
  ['shop.example.test missing.example.test', 'domains[].state', 'verified\naction-required\n'],
])(
  '--query applies to the whole document, also piped: %s --query %s',
  { timeout: 30_000 },
  async (names, query, out) => {
    const { stdout } = await runFake(`--mock domain verify ${names} --query ${query}`);
    expect(stdout).toBe(out);
  },
);
