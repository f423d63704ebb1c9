import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  type RenderedReport,
  renderNextSteps,
} from '../../../../../src/cli/commands/domain/report/next-commands.js';
import { checkDomain } from '../../../../../src/domain/index.js';
import { BUILT_IN_NAMES } from '../../../../../src/mock/index.js';
import { runFake } from '../../../../support/fake-context.js';
import { closedPort } from '../../../../support/loopback-port.js';
import { ROOT } from '../../../../support/source-tree.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { createVirtualClock } from '../../../../support/virtual-clock.js';
import { fakeDns, type World } from '../../../../domain/fake-dns.js';
import { NS1, NS2, RESOLVER, worldOf } from '../../../../domain/world.js';
import { serveDns, TARGET } from '../served-dns.js';
import { outputSchema, reportSchema } from './report-schema.js';

test('docs/domain-report.schema.json is generated: npx vitest run --update writes it', async () => {
  const path = join(ROOT, 'docs/domain-report.schema.json');
  const schema = z.toJSONSchema(outputSchema, {
    target: 'draft-7',
    // Later versions may add fields.
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
  const options = await resolveConfig(path);
  await expect(await format(JSON.stringify(schema), { ...options, filepath: path })).toMatchFileSnapshot(
    path,
  );
});

test('the schema has every field of the type', () => {
  expectTypeOf<keyof z.infer<typeof reportSchema>>().toEqualTypeOf<keyof RenderedReport>();
});

test('the report of every name of the mock is valid', { timeout: 60_000 }, async () => {
  const names = BUILT_IN_NAMES.map(({ name }) => name).join(' ');
  const { stdout } = await runFake(`--mock domain verify ${names} --json`);
  const document = outputSchema.parse(JSON.parse(stdout));
  expect('domains' in document && document.domains).toHaveLength(BUILT_IN_NAMES.length);
  const [first] = 'domains' in document ? document.domains : [];
  expect(reportSchema.safeParse({ ...first, extra: 1 }).success).toBe(false);
});

test('a report with certificate and redirects is valid', async () => {
  await using dns = await serveDns();
  const port = String(await closedPort());
  const currentDirectory = temporaryFolder({
    'petstore.config.json': {
      target: TARGET,
      redirects: [{ from: 'www.example.test', to: 'shop.example.test', status: 301 }],
    },
  });
  const probe = ['--connect', '127.0.0.1', '--https-port', port, '--http-port', port];
  const line = ['domain', 'verify', 'shop.example.test', '--json', ...dns.flags, ...probe];
  const { stdout } = await runFake(line, { currentDirectory });
  const report = reportSchema.parse(JSON.parse(stdout));
  expect(report.certificate?.addresses).toHaveLength(1);
  expect(report.redirects).toHaveLength(1);
});

/** A zone at a provider of the list, with these records of `shop`. */
function zoneAtCloudflare(...records: string[]): World {
  const hosts = ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
  const { zones, servers, ...world } = worldOf([]);
  return {
    ...world,
    zones: {
      ...zones,
      test: [
        ...(zones.test ?? []).filter((line) => !line.includes('example')),
        ...hosts.map((host) => `example NS ${host}.`),
      ],
      'cloudflare.com': ['@ NS amy.ns', `amy.ns A ${NS1}`, `bob.ns A ${NS2}`],
      'example.test': [...hosts.map((host) => `@ NS ${host}.`), ...records],
    },
    servers: { ...servers, [NS1]: ['example.test', 'cloudflare.com'], [NS2]: ['example.test'] },
  };
}

describe('a report with the provider and the platform is valid', () => {
  test.each([
    ['healthy', [`shop CNAME ${TARGET}.`], 'verified', undefined],
    ['broken', ['shop A 104.16.1.2'], 'action-required', 'Cloudflare'],
  ])('%s', async (_name, records, state, cdn) => {
    const port = await closedPort();
    const checked = await checkDomain(
      {
        domain: 'shop.example.test',
        target: TARGET,
        plan: 'Pro',
        deployed: true,
        certificate: false,
        probe: { connect: '127.0.0.1', httpsPort: port, platform: true },
      },
      { dns: fakeDns(zoneAtCloudflare(...records)), clock: createVirtualClock(), resolvers: [RESOLVER] },
    );
    const rendered = renderNextSteps(checked, { given: [], global: { mock: false } });
    const report = reportSchema.parse(JSON.parse(JSON.stringify(rendered)));
    expect(report.state).toBe(state);
    expect(report.provider?.dns).toMatchObject({ name: 'Cloudflare', alias: 'yes' });
    expect(report.provider?.dns?.steps).toContain(`Target: ${TARGET}`);
    expect(report.provider?.cdn?.name).toBe(cdn);
    expect(report.platform).toMatchObject({ result: 'unknown', domain: [{ address: '127.0.0.1' }] });
  });
});

test('the report of a name that the flags do not fit is valid', async () => {
  const { stdout } = await runFake('--mock domain verify --subdomain example.test --json');
  expect(reportSchema.parse(JSON.parse(stdout)).state).toBe('invalid');
});
