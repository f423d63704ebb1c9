import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv8';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type RenderedReport,
  renderNextSteps,
} from '../../../../../src/cli/commands/domain/report/next-commands.js';
import { rightText } from '../../../../../src/cli/commands/domain/report/plan-text.js';
import { checkDomain, type RecordPlan, todoLines } from '../../../../../src/domain/index.js';
import { BUILT_IN_NAMES } from '../../../../../src/mock/index.js';
import { runFake } from '../../../../support/fake-context.js';
import { closedPort } from '../../../../support/loopback-port.js';
import { IS_FULL } from '../../../../support/random-runs.js';
import { ROOT } from '../../../../support/source-tree.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { createVirtualClock } from '../../../../support/virtual-clock.js';
import { fakeDns, type World } from '../../../../domain/fake-dns.js';
import { NS1, NS2, RESOLVER, worldOf } from '../../../../domain/world.js';
import { serveDns, TARGET } from '../served-dns.js';

const ajv = new Ajv({ strictTypes: false });
for (const format of ['date-time', 'date', 'uri'])
  ajv.addFormat(
    format,
    (text) => text !== '' && (format === 'uri' ? URL.canParse(text) : !Number.isNaN(Date.parse(text))),
  );
const isValid = ajv.compile(
  strict(JSON.parse(readFileSync(join(ROOT, 'docs/domain-report.schema.json'), 'utf8'))),
);

/** Rejects other fields. Users accept them: later versions may add fields. */
function strict(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as object;
}

/** Parses a report, or the reports of several domains. Fails if the schema does not describe it. */
function parse(text: string): RenderedReport & { domains: RenderedReport[] } {
  const document: unknown = JSON.parse(text);
  isValid(document);
  expect(isValid.errors).toBeNull();
  return document as RenderedReport & { domains: RenderedReport[] };
}

/** Without those whose name servers are silent: to wait for them takes seconds. */
const NAMES = BUILT_IN_NAMES.map(({ name }) => name).filter((name) => IS_FULL || !name.includes('silent'));

describe('of all names of the mock (those of silent servers with PETSTORE_TEST_FULL=1)', () => {
  let reports: string;
  let plans: string;

  beforeAll(async () => {
    const lines = ['verify', 'records'].map((verb) => `--mock domain ${verb} ${NAMES.join(' ')} --json`);
    const outcomes = await Promise.all(lines.map((line) => runFake(line)));
    [reports = '', plans = ''] = outcomes.map(({ stdout }) => stdout);
  });

  test('each report is valid', () => {
    const { domains } = parse(reports);
    expect(domains).toHaveLength(NAMES.length);
    expect([isValid(domains[0]), isValid({ ...domains[0], extra: 1 })]).toEqual([true, false]);
  });

  test('no record plan of a right record has a change', () => {
    const { domains } = JSON.parse(plans) as { domains: RecordPlan[] };
    for (const plan of domains) {
      if (rightText(plan) === undefined) continue;
      expect(
        plan.todo.filter(({ record }) => record.name === plan.domain.ascii && record.type !== 'CAA'),
      ).toEqual([]);
      expect(plan.findings.filter(({ axis, severity }) => axis === 'record' && severity === 'block')).toEqual(
        [],
      );
    }
  });

  test('no first line of advice refers to another one, and no fix continues a change that a page leaves out', () => {
    for (const report of parse(reports).domains) {
      const [first] = todoLines(report);
      expect(first?.text ?? '', report.domain.ascii).not.toMatch(
        /\b(?:this|these) servers?\b|a moment ago|^Or /,
      );
      for (const { fix } of report.findings)
        if (fix?.parts.some(({ kind }) => kind === 'change') === true)
          expect(fix.parts.filter(({ kind, text }) => kind === 'note' && text.startsWith('Or '))).toEqual([]);
    }
  });
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
  const report = parse(stdout);
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
    const report = parse(JSON.stringify(rendered));
    expect(report.state).toBe(state);
    expect(report.provider?.dns).toMatchObject({ name: 'Cloudflare', alias: 'yes' });
    expect(report.provider?.dns?.steps).toContain(`Target: ${TARGET}`);
    expect(report.provider?.cdn?.name).toBe(cdn);
    expect(report.platform).toMatchObject({ result: 'unknown', domain: [{ address: '127.0.0.1' }] });
  });
});

test('the report of a name that the flags do not fit is valid', async () => {
  const { stdout } = await runFake('--mock domain verify --subdomain example.test --json');
  expect(parse(stdout).state).toBe('invalid');
});
