import { describe, expect, test } from 'vitest';
import { runFake } from '../../../../support/fake-context.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { serveDns, TARGET } from '../served-dns.js';

describe('names', () => {
  test.each([
    ['https://shop.example.com/path', 'name.invalid', 'Did you mean "shop.example.com"?'],
    ['192.0.2.1', 'name.ip', 'Enter the name of a host'],
    ['[2001:db8::1]', 'name.ip', 'Enter the name of a host'],
    ['shop.example.com:8080', 'name.invalid', 'Did you mean "shop.example.com"?'],
    ['me@example.com', 'name.invalid', 'Did you mean "example.com"?'],
    ['co.uk', 'name.public-suffix', 'Enter the name of a host'],
    ['*.example.com', 'name.wildcard', 'Did you mean "example.com"?'],
    ['a_b.example.com', 'name.invalid', 'Enter the name of a host'],
    [`${'a'.repeat(64)}.example.com`, 'name.invalid', 'Enter the name of a host'],
    [`${'a.'.repeat(124)}abc.com`, 'name.invalid', 'Enter the name of a host'],
    ['', 'name.invalid', 'Enter the name of a host'],
    ['localhost', 'name.invalid', 'Enter the name of a host'],
  ])('%s: exit code 2, without a query', async (name, id, hint) => {
    await using dns = await serveDns();
    const { exitCode, stdout, stderr } = await runFake([...['domain', 'verify', name], ...dns.flags]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`(${id})\nhint: ${hint}`);
    expect(dns.mock.dns?.journal).toEqual([]);
  });
});

test('rejects the target as a domain, without a query', async () => {
  await using dns = await serveDns();
  const { exitCode, stdout, stderr } = await runFake([
    ...['domain', 'verify', TARGET.toUpperCase(), '--wait'],
    ...dns.flags,
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(`The target is the domain itself: ${TARGET}`);
  expect(dns.mock.dns?.journal).toEqual([]);
});

describe('petstore.config.json', () => {
  test('sets the domains, the target, the plan and the deploy', async () => {
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

  test('checks the redirects of one domain among all', async () => {
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
});
