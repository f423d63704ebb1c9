import { expect, test } from 'vitest';
import type { CheckRequest } from '../../../src/domain/report/options.js';
import type { TargetCertificate } from '../../../src/domain/report/probe-context.js';
import type { Report } from '../../../src/domain/report/report.js';
import type { World } from '../fake-dns.js';
import { stubProbes } from '../stub-probes.js';
import { TARGET, worldOf, zoneLab } from '../world.js';

/** Checks with stub probes. Returns the addresses whose certificates were read for the target. */
async function check(
  request: Partial<CheckRequest>,
  world: World,
  certificates: readonly TargetCertificate[],
  status: 'active' | 'pending' = 'pending',
): Promise<{ report: Report; read: string[] }> {
  const read: string[] = [];
  const loadProbes = stubProbes(status, {
    target(_context, addresses) {
      read.push(...addresses);
      return Promise.resolve(certificates.filter(({ address }) => addresses.includes(address)));
    },
  });
  const { check: checkShop } = zoneLab(world, {}, { loadProbes });
  return { report: await checkShop({ probe: {}, ...request }), read };
}

const servedAt = (address: string, parts: Partial<TargetCertificate> = {}): TargetCertificate => ({
  address,
  port: 443,
  isTrusted: true,
  authority: "Let's Encrypt",
  caaNames: ['letsencrypt.org'],
  ...parts,
});
const severityOf = ({ findings }: Report, id: string) => findings.find((one) => one.id === id)?.severity;

const RIGHT = `shop CNAME ${TARGET}.`;
const restrictedTo = (issuer: string): World => worldOf([RIGHT, `@ CAA 0 issue ${issuer}`]);

test.each([
  ['letsencrypt.org', 'caa.ok', 'info', 'verified'],
  ['digicert.com', 'caa.blocked', 'block', 'action-required'],
])('learns the issuer from the target for CAA %s: %s', async (permitted, id, severity, state) => {
  const { report, read } = await check({}, restrictedTo(permitted), [servedAt('192.0.2.80')]);
  expect(read).toEqual(['192.0.2.80', '2001:db8::80']);
  const finding = report.findings.find((one) => one.id === id);
  expect(finding?.severity).toBe(severity);
  expect(finding?.message).toContain(
    `The certificate of ${TARGET} shows the authority: Let's Encrypt. If the service uses another one, pass it with --issuer.`,
  );
  expect(finding?.evidence.at(-1)?.command).toBe(
    `openssl s_client -connect 192.0.2.80:443 -servername ${TARGET} </dev/null`,
  );
  expect(report.state).toBe(state);
});

test('says that an unknown authority has no known CAA name', async () => {
  const served = servedAt('192.0.2.80', { authority: 'A new CA', caaNames: [] });
  const { report } = await check({}, restrictedTo('digicert.com'), [served]);
  expect(severityOf(report, 'caa.blocked')).toBe('warn');
  expect(report.findings.find(({ id }) => id === 'caa.blocked')?.message).toContain(
    'A new CA, whose CAA name is unknown',
  );
});

test('does not learn from an untrusted certificate', async () => {
  const served = servedAt('192.0.2.80', { isTrusted: false });
  const { report } = await check({}, restrictedTo('digicert.com'), [served]);
  expect(report.findings.find(({ id }) => id === 'caa.blocked')).toMatchObject({
    severity: 'warn',
    message: expect.stringContaining('The authority of the service is unknown.'),
  });
});

test.each<[string, Partial<CheckRequest>, World, ('active' | 'pending')?]>([
  ['with a given issuer', { issuer: 'digicert.com' }, restrictedTo('digicert.com')],
  ['without CAA records', {}, worldOf([RIGHT])],
  ['without certificate checks', { certificate: false }, restrictedTo('digicert.com')],
  ['with a certificate of the domain', {}, restrictedTo('digicert.com'), 'active'],
])('does not connect to the target %s', async (_, request, world, status) => {
  expect((await check(request, world, [], status)).read).toEqual([]);
});

test('accepts an apex whose address serves the certificate of the target', async () => {
  const world = worldOf(['@ A 192.0.2.99']);
  const { report, read } = await check({ domain: 'example.test' }, world, [servedAt('192.0.2.99')]);
  expect(read).toEqual(['192.0.2.99']);
  expect(report.state).toBe('verified');
  expect(report.findings.find(({ id }) => id === 'apex.alias-consistent')?.message).toBe(
    `example.test resolves to 192.0.2.99. ${TARGET} returned other addresses, but this one serves its certificate.`,
  );
});

test.each([
  ['serves another certificate', [servedAt('192.0.2.99', { isTrusted: false })]],
  ['serves none', []],
])('rejects an apex whose address %s', async (_, certificates) => {
  const { report } = await check({ domain: 'example.test' }, worldOf(['@ A 192.0.2.99']), certificates);
  expect(severityOf(report, 'apex.wrong-address')).toBe('block');
});
