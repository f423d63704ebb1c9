import { describe, expect, test } from 'vitest';
import {
  checkCertificate,
  checkDomain,
  checkDomains,
  checkRedirects,
  type CheckRequest,
  planRecords,
  watchDomain,
  watchDomains,
} from '../../../src/domain/index.js';

const REQUEST = { domain: 'shop.example.test', target: 'cname.platform.test' };

/** Fails the test if the check sends a query. */
const NO_DNS = {
  query: () => Promise.reject(new Error('Sent a query')),
  close: () => undefined,
};

test.each<[object, string, string]>([
  [{ domain: REQUEST.domain }, 'target', 'target is missing'],
  [{ target: REQUEST.target }, 'domain', 'domain is missing'],
  [{ ...REQUEST, domain: 5 }, 'domain', 'domain must be a string'],
  [{ ...REQUEST, plann: 'pro' }, 'plann', 'Unknown field "plann"'],
  [{ ...REQUEST, plan: 'gold' }, 'plan', 'plan must be one of free, pro, business, enterprise'],
  [{ ...REQUEST, plan: { nam: 'pro' } }, 'plan', 'plan must be one of free, pro, business, enterprise'],
  [{ ...REQUEST, verifiedAt: 'x' }, 'verifiedAt', 'verifiedAt must be a date or its RFC 3339 text'],
  [{ ...REQUEST, verifiedAt: new Date(Number.NaN) }, 'verifiedAt', 'verifiedAt must be a date'],
  [{ ...REQUEST, verifiedAt: 1_795_262_400_000 }, 'verifiedAt', 'verifiedAt must be a date'],
  [{ ...REQUEST, verifiedAt: '2026-11-21' }, 'verifiedAt', 'verifiedAt must be a date'],
  [{ ...REQUEST, verifiedAt: '2026-02-31T25:00:00Z' }, 'verifiedAt', 'verifiedAt must be a date'],
  [{ ...REQUEST, deployed: 'yes' }, 'deployed', 'deployed must be true or false'],
  [{ ...REQUEST, kind: 'zone' }, 'kind', 'kind must be one of apex, subdomain'],
  [{ ...REQUEST, redirects: {} }, 'redirects', 'redirects must be a list of entries'],
  [{ ...REQUEST, redirects: [{ from: 'a.test', to: 5 }] }, 'redirects[0].to', 'to must be a string'],
  [{ ...REQUEST, redirects: [{ from: 'a', to: 'b', status: 1.5 }] }, 'redirects[0].status', 'a whole number'],
  [{ ...REQUEST, redirects: [{ from: 'a', to: 'b' }] }, 'redirects[0].status', 'status is missing'],
  [{ ...REQUEST, redirects: [{ frm: 'a.test' }] }, 'redirects[0].frm', 'Unknown field "redirects[0].frm"'],
  [{ ...REQUEST, probe: 'x' }, 'probe', 'probe must be an object'],
  [{ ...REQUEST, probe: { httpPort: 70_000 } }, 'probe.httpPort', 'probe.httpPort must be a port'],
  [
    { ...REQUEST, probe: { connect: '127.0.0.1:8443' } },
    'probe.connect',
    'probe.connect must be an IP address',
  ],
  [{ ...REQUEST, probe: { connect: '999.1.1.1' } }, 'probe.connect', 'probe.connect must be an IP address'],
  [{ ...REQUEST, probe: { port: 1 } }, 'probe.port', 'Unknown field "probe.port"'],
])('rejects the request %o', async (request, field, message) => {
  const options = { dns: NO_DNS as never };
  const error = { type: 'invalid-input', field, message: expect.stringContaining(message) };
  const given = request as CheckRequest;
  await expect(checkDomain(given, options)).rejects.toMatchObject(error);
  await expect(checkDomains([given], options).next()).rejects.toMatchObject(error);
  await expect(planRecords([given], options).next()).rejects.toMatchObject(error);
  await expect(watchDomain(given, options).next()).rejects.toMatchObject(error);
  await expect(watchDomains([given], options).next()).rejects.toMatchObject(error);
});

test('rejects a redirects request with an address to connect to that has a port', async () => {
  const request = { redirects: [], probe: { connect: '[::1]:8443' } };
  const message = 'probe.connect must be an IP address or a host name, without a port';
  await expect(checkRedirects(request)).rejects.toMatchObject({ field: 'probe.connect', message });
});

test.each([undefined, null, 'shop.example.test', []])('rejects %o instead of a request', async (request) => {
  const error = { type: 'invalid-input' };
  await expect(checkDomain(request as never)).rejects.toMatchObject(error);
  await expect(checkRedirects(request as never)).rejects.toMatchObject(error);
  await expect(checkCertificate(request as never)).rejects.toMatchObject(error);
});

const SERVERS = 'systemResolvers must be a list of servers with address, port and transport';

test.each<[object, string, string]>([
  [{ resolvers: 'x' }, 'resolvers', 'resolvers must be an array of strings'],
  [{ resolver: ['192.0.2.53'] }, 'resolver', 'Unknown option "resolver"'],
  [{ timeoutMs: '5s' }, 'timeoutMs', 'timeoutMs must be a number of milliseconds of at least 0'],
  [{ authoritativePort: 0 }, 'authoritativePort', 'authoritativePort must be a port from 1 to 65535'],
  [{ doh: 5 }, 'doh', 'doh must be a string'],
  [{ route: 5 }, 'route', 'route must be a function'],
  [{ attached: 'b.test' }, 'attached', 'attached must be an array of strings'],
  [{ projectRedirects: [5] }, 'projectRedirects[0]', 'projectRedirects[0] must be an object'],
  [{ clock: {} }, 'clock', 'clock must be an object with the methods now, monotonic and setTimeout'],
  [
    { clock: { now: () => 'x', monotonic: () => 0, setTimeout: () => () => undefined } as never },
    'clock',
    'clock must return times as numbers of milliseconds',
  ],
  [{ signal: {} }, 'signal', 'signal must be an AbortSignal'],
  [{ random: {} }, 'random', 'random must be a function'],
  [{ timeoutMs: Number.NaN }, 'timeoutMs', 'timeoutMs must be a number of milliseconds of at least 0'],
  [{ dns: {} }, 'dns', 'dns must be an object with the methods query and close'],
  [{ systemResolvers: [5] }, 'systemResolvers', SERVERS],
  [{ systemResolvers: [{ address: '192.0.2.53', transport: 'dns' }] }, 'systemResolvers', SERVERS],
  [{ concurrency: 0 }, 'concurrency', 'concurrency must be a whole number of at least 1'],
])('rejects the options %o', async (options, field, message) => {
  await expect(checkDomain(REQUEST, options)).rejects.toMatchObject({
    type: 'invalid-input',
    field,
    message,
  });
  await expect(checkDomains([REQUEST], options).next()).rejects.toMatchObject({ field });
});

describe('a mistyped name', () => {
  test('gets the nearest one as a hint', async () => {
    const request = { ...REQUEST, plann: 'pro' } as CheckRequest;
    await expect(checkDomain(request)).rejects.toMatchObject({ hint: 'Did you mean "plan"?' });
    await expect(checkDomain(REQUEST, { resolver: [] } as never)).rejects.toMatchObject({
      hint: 'Did you mean "resolvers"?',
    });
    const redirects = [{ frm: 'a.test' }] as never;
    const error = { hint: 'Did you mean "from"?' };
    await expect(checkDomain({ ...REQUEST, redirects })).rejects.toMatchObject(error);
    await expect(checkRedirects({ redirects })).rejects.toMatchObject(error);
    await expect(checkDomain(REQUEST, { projectRedirects: redirects })).rejects.toMatchObject(error);
  });
});
