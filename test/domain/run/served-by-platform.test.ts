import { describe, expect, test } from 'vitest';
import type { Report } from '../../../src/domain/report/report.js';
import { AUTHORITY, serveHttps, SHOP, TARGET } from '../loopback-servers.js';
import { zoneLab } from '../world.js';

/** Checks a domain whose record is one of these, with a site that serves these certificates. */
async function check(
  records: readonly string[],
  certificates: Readonly<Record<string, string>>,
  { domain = SHOP, platform = true } = {},
): Promise<Report> {
  const httpsPort = await serveHttps((_request, response) => response.writeHead(200).end(), certificates);
  const probe = { connect: '127.0.0.1', httpsPort, ca: AUTHORITY, platform };
  return zoneLab(records).check({ domain, probe });
}

const SAME = { [SHOP]: 'platform', 'example.test': 'platform', [TARGET]: 'platform' };
const OTHER = { [SHOP]: 'stranger', [TARGET]: 'platform' };

function found({ findings }: Report, id: string): string | undefined {
  return findings.find((finding) => finding.id === id)?.severity;
}

describe('a proxied record, as addresses', () => {
  test('is a warning if the platform serves the domain', async () => {
    const report = await check(['shop A 198.51.100.99'], SAME);
    expect(found(report, 'conflict.address')).toBe('warn');
    expect(found(report, 'probe.served')).toBe('info');
    expect(report.platform).toMatchObject({ result: 'served', proof: { by: 'certificate' } });
    // The certificate is checked too, and still that of the platform.
    expect(report.certificate?.status).toBe('pending');
    expect(report.state).toBe('verified');
  });

  test('blocks otherwise', async () => {
    const report = await check(['shop A 198.51.100.99'], OTHER);
    expect(found(report, 'conflict.address')).toBe('block');
    expect(report.platform?.result).toBe('unproved');
    expect(report.state).toBe('action-required');
  });

  test('blocks without a probe', async () => {
    const report = await check(['shop A 198.51.100.99'], SAME, { platform: false });
    expect(found(report, 'conflict.address')).toBe('block');
    expect(report).not.toHaveProperty('platform');
  });
});

test('other addresses at an apex are a warning if the platform serves it', async () => {
  const report = await check(['@ A 198.51.100.99'], SAME, { domain: 'example.test' });
  expect(found(report, 'apex.wrong-address')).toBe('warn');
  expect(report.state).toBe('verified');
});

test('a CNAME of a CDN is a warning if the platform serves the domain', async () => {
  const report = await check(['shop CNAME edge', 'edge A 198.51.100.99'], SAME);
  expect(found(report, 'record.wrong-target')).toBe('warn');
  expect(report.state).toBe('verified');
});

test('what prevents visits still blocks', async () => {
  const report = await check([`shop CNAME ${TARGET}.`, '@ CAA 0 issue ";"'], SAME);
  expect(found(report, 'probe.served')).toBe('info');
  expect(found(report, 'caa.blocked')).toBe('block');
  expect(report.state).toBe('action-required');
});

test('an unproved response does not change the state of a correct record', async () => {
  const report = await check([`shop CNAME ${TARGET}.`], { [SHOP]: 'shop', [TARGET]: 'platform' });
  expect(report.platform?.result).toBe('unproved');
  expect(report.state).toBe('active');
});
