import { expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { serveDns, TARGET } from './served-dns.js';

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

test('--json trace with -v has the transport of each query', async () => {
  const { stdout } = await runFake('--mock domain verify shop.example.test --json trace -v');
  expect(JSON.parse(stdout).trace).toContainEqual(expect.objectContaining({ type: 'NS', transport: 'udp' }));
});

test('next commands query the same servers', async () => {
  await using dns = await serveDns();
  const { stdout } = await runFake(['domain', 'verify', 'missing.example.test', '--json', ...dns.flags]);
  const [first] = JSON.parse(stdout).next;
  expect(first.command).toBe(
    `petstore domain records missing.example.test --target ${TARGET} ${dns.flags.slice(0, 4).join(' ')}`,
  );
});
