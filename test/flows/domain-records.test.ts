import { expect, onTestFinished, test } from 'vitest';
import { checkDomain } from '../../src/domain/index.js';
import { createMock } from '../../src/mock/index.js';
import { runResident } from '../support/resident-cli.js';

const NAMES = ['missing.example.test', 'ペット.example.test', 'shop.team.example.test', 'empty.test'];
const TARGET = 'cname.platform.test';

async function recordsAs(format: string): Promise<string> {
  const ran = await runResident(['--mock', 'domain', 'records', ...NAMES, '-o', format]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  return ran.stdout;
}

test('-o zone: a name server with these lines has the right records', async () => {
  const lines = await recordsAs('zone');
  const origins = lines.match(/^\$ORIGIN .*$/gm);
  expect(origins).toEqual(['$ORIGIN example.test.', '$ORIGIN team.example.test.', '$ORIGIN empty.test.']);
  // Other records of a zone.
  const zones = lines.replaceAll(
    /^\$ORIGIN .*$/gm,
    '$&\n@ 3600 SOA ns1.dns.test. hostmaster.dns.test. 1 2h 15m 2w 15m\n@ 3600 NS ns1.dns.test.',
  );
  const mock = createMock({ dns: { zones: [zones] } });
  const server = await mock.listen({ port: 0, dnsPort: 0 });
  const port = server.dns?.port ?? 0;
  const options = { resolvers: [`127.0.0.1:${String(port)}`], authoritativePort: port };
  const found = await Promise.all(
    NAMES.map(async (domain) => {
      const request = { domain, target: TARGET, plan: 'Pro', deployed: true, certificate: false };
      const { state, observed } = await checkDomain(request, options);
      return [state, observed.authoritative[0]?.records, observed.authoritative[0]?.ttl];
    }),
  );
  await server.close();
  const right = ['verified', [`CNAME ${TARGET}`], 3600];
  // ALIAS is not a standard record type, so it is a comment, and not served.
  expect(found).toEqual([right, right, right, ['action-required', [], undefined]]);
});

test('an apex at a provider without ALIAS: both commands keep its records, and give the same advice', async () => {
  const zone = [
    '$ORIGIN example.com.',
    '@ 3600 SOA ns1.domaincontrol.com. hostmaster.example.com. 1 2h 15m 2w 15m',
    '@ 3600 NS ns1.domaincontrol.com.',
    '@ 3600 A 192.0.2.10',
    '@ 3600 MX 10 mail.example.com.',
    'mail 3600 A 192.0.2.11',
  ];
  const mock = createMock({ dns: { zones: [zone.join('\n')] } });
  const server = await mock.listen({ port: 0, dnsPort: 0 });
  onTestFinished(() => server.close());
  const port = String(server.dns?.port ?? 0);
  const run = async (verb: string, name: string, ...flags: string[]) => {
    const dns = ['--resolver', `127.0.0.1:${port}`, '--authoritative-port', port, '--no-public'];
    const line = ['domain', verb, name, '--target', TARGET, ...dns, '--json', ...flags];
    const { stdout } = await runResident(line);
    const { findings } = JSON.parse(stdout) as { findings: { id: string; fix?: object }[] };
    return { stdout, fixes: findings.flatMap(({ id, fix }) => (/^(apex|conflict)\./.test(id) ? [fix] : [])) };
  };
  const verified = await run('verify', 'example.com', '--no-certificate');
  const planned = await run('records', 'example.com');
  expect(verified.fixes).toMatchObject([
    { action: 'other', remove: [], add: [], text: expect.stringContaining('GoDaddy') },
  ]);
  expect(planned.fixes).toEqual(verified.fixes);
  expect(JSON.parse(planned.stdout)).toMatchObject({ remove: [], todo: [] });
  const mail = await run('records', 'mail.example.com');
  expect(mail.stdout).toContain('first give the mail server another name');
});
