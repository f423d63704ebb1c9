import { describe, expect, test } from 'vitest';
import { createMock, DEFAULT_KEY } from '../../src/mock/index.js';
import { sendRequest, frozenClock, NOON, requestOf } from './send-request.js';

test('has one key, 25 pets and the free plan by default', () => {
  const mock = createMock();
  expect(mock.keys).toEqual([DEFAULT_KEY]);
  expect(sendRequest(mock, 'GET', '/pets').json).toHaveLength(20);
  expect(sendRequest(mock, 'GET', '/pets?limit=100').json).toHaveLength(25);
  expect(sendRequest(mock, 'GET', '/pets').headers['x-ratelimit-limit']).toBe('60');
});

test('two mocks differ only in their instance', () => {
  const [one, other] = [createMock({ clock: frozenClock }), createMock({ clock: frozenClock })];
  const [first, second] = [sendRequest(one, 'GET', '/pets'), sendRequest(other, 'GET', '/pets')];
  expect(first.headers['x-mock-instance']).not.toBe(second.headers['x-mock-instance']);
  expect({ ...first, headers: { ...first.headers, 'x-mock-instance': '' } }).toEqual({
    ...second,
    headers: { ...second.headers, 'x-mock-instance': '' },
  });
});

describe('advance', () => {
  test('by a duration', () => {
    const mock = createMock({ clock: frozenClock });
    expect(mock.advance('60s')).toEqual(new Date(NOON + 60_000));
    expect(mock.advance(5)).toEqual(new Date(NOON + 60_005));
    expect(() => mock.advance('until-tea')).toThrow(TypeError);
    expect(() => mock.advance('1s', 'unknown-key')).toThrow(TypeError);
  });

  test('until-unbanned: to the end of a ban, or not at all', () => {
    const mock = createMock({ clock: frozenClock });
    expect(mock.advance('until-unbanned')).toEqual(new Date(NOON));
    for (let sent = 0; sent < 71; sent += 1) sendRequest(mock, 'GET', '/pets');
    expect(sendRequest(mock, 'GET', '/pets').headers['retry-after']).toBe('300');
    expect(mock.state().tenants[0]).toMatchObject({ banned: true, rateLimit: { remaining: 0 } });
    expect(mock.advance('until-unbanned')).toEqual(new Date(NOON + 300_000));
    expect(mock.state().tenants[0]).toMatchObject({ banned: false });
    expect(sendRequest(mock, 'GET', '/pets').status).toBe(200);
  });

  test('uses the limits of the given key', () => {
    const mock = createMock({ clock: frozenClock });
    const key = mock.tenant();
    for (let sent = 0; sent < 72; sent += 1) sendRequest(mock, 'GET', '/pets', { key });
    expect(mock.advance('until-unbanned')).toEqual(new Date(NOON));
    expect(mock.advance('until-unbanned', key)).toEqual(new Date(NOON + 300_000));
  });
});

test('reset restores the initial state', () => {
  const mock = createMock({
    clock: frozenClock,
    instance: 'x',
    faults: [{ skip: 70, times: 1, action: 'reset' }],
  });
  const initialState = mock.state();
  sendRequest(mock, 'POST', '/pets', { body: { name: 'Rex', categoryId: 1 } });
  for (let sent = 0; sent < 69; sent += 1) sendRequest(mock, 'GET', '/pets');
  expect(mock.handle(requestOf('GET', '/pets')).kind).toBe('reset');
  sendRequest(mock, 'GET', '/pets');
  mock.advance('1s');
  mock.setFaults([]);
  expect(mock.state()).not.toEqual(initialState);
  mock.reset();
  expect(mock.state()).toEqual(initialState);
  expect(mock.journal).toEqual([]);
  expect(sendRequest(mock, 'GET', '/pets').headers['x-ratelimit-remaining']).toBe('59');
});

test('returns the latency to the host, and exchange() waits for it in virtual time', async () => {
  const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000, faults: ['slow:ms=1000'] });
  expect(mock.handle(requestOf('GET', '/pets'))).toMatchObject({ kind: 'response', delayMs: 3_601_000 });
  const response = mock.exchange(requestOf('GET', '/pets'));
  mock.advance(3_601_000);
  await expect(response).resolves.toMatchObject({ response: { status: 200 } });
  const controller = new AbortController();
  const reason = new Error('enough');
  const exchanged = mock.exchange(requestOf('GET', '/pets'), controller.signal);
  controller.abort(reason);
  await expect(exchanged).rejects.toBe(reason);
});

test.each([
  [{ keys: 'k' }, 'keys must be an array of strings'],
  [{ keys: [5] }, 'keys must be an array of strings'],
  [{ pets: 1.5 }, 'pets must be a whole number from 0 to 1000000, or a list of pets'],
  [{ pets: 1_000_001 }, 'pets must be a whole number from 0 to 1000000, or a list of pets'],
  [{ pets: [null] }, 'pets must be a whole number from 0 to 1000000, or a list of pets'],
  [{ faults: 'flaky' }, 'faults must be a list of faults: objects, or texts for parseFault'],
  [{ faults: [null] }, 'faults must be a list of faults: objects, or texts for parseFault'],
  [
    { faults: ['nonsense'] },
    'Unknown fault: nonsense (known: rate-limit, flaky, slow, throttle, lost-write, garbage, outage, status, reset, html-502, bad-json, truncate, cut)',
  ],
  [{ latencyMs: -1 }, 'Invalid duration: -1 (valid: "500ms", "60s", "5m", or a number of milliseconds)'],
  [{ seed: 'x' }, 'seed must be a number'],
  [{ clock: {} }, 'clock must be an object with the method now'],
  [{ clock: { now: () => 'x' } }, 'clock must return times as numbers of milliseconds'],
  [{ clock: null }, 'clock must be an object with the method now'],
  [{ plan: 5 }, 'plan must be one of free, pro, business, unlimited'],
  [{ journalMax: '5' }, 'journalMax must be a whole number of 1 or more'],
  [{ instance: '' }, 'instance must be visible ASCII without spaces'],
  [{ instance: 5 }, 'instance must be visible ASCII without spaces'],
  [{ dns: 5 }, 'dns must be an object'],
  [{ dns: { zone: [] } }, 'Unknown option "dns.zone". Did you mean "zones"?'],
  [{ dns: { zones: 'a.test.' } }, 'dns.zones must be a list of zone files'],
  [{ dns: { journalMax: 0 } }, 'dns.journalMax must be a whole number of 1 or more'],
  [{ onRequest: 5 }, 'onRequest must be a function'],
])('explains the invalid options %o', (options, message) => {
  expect(() => createMock(options as never)).toThrow(new TypeError(message));
});

const REDIRECT = { from: 'a.test', to: 'b.test', status: 301 };
const redirects = (...entries: unknown[]) => ({ web: { redirects: entries.length === 0 ? {} : entries } });

test.each<[object, string]>([
  [{ port: 'x' }, 'port must be a port from 0 to 65535'],
  ...[-1, 1.5, 70_000, Number.NaN].flatMap((port): [object, string][] => [
    [{ port }, 'port must be a port from 0 to 65535'],
    [{ dnsPort: port }, 'dnsPort must be a port from 0 to 65535'],
  ]),
  [{ host: 5 }, 'host must be a host name or an address'],
  [{ onResponse: 5 }, 'onResponse must be a function'],
  [{ web: { redirect: [] } }, 'Unknown option "web.redirect". Did you mean "redirects"?'],
  [redirects(), 'web.redirects must be a list of redirect entries'],
  [redirects('a.test'), 'web.redirects[0] must be an object'],
  [redirects({ ...REDIRECT, status: 200 }), 'web.redirects[0].status must be 301, 302, 303, 307 or 308'],
  [
    redirects({ ...REDIRECT, from: 'https://a.test' }),
    'web.redirects[0].from must be a host name, such as www.example.test',
  ],
  [redirects({ ...REDIRECT, to: '' }), 'web.redirects[0].to must be a host name, such as www.example.test'],
  [redirects({ from: 'a.test', too: 'b.test' }), 'Unknown field "web.redirects[0].too". Did you mean "to"?'],
  [redirects({ from: 'a.test', to: 'b.test' }), 'web.redirects[0].status is missing'],
  [redirects(REDIRECT, { ...REDIRECT, from: 'A.test.' }), 'a.test occurs twice in web.redirects'],
])('rejects to listen with %o', async (options, message) => {
  await expect(createMock().listen(options as never)).rejects.toThrow(new TypeError(message));
});

test('rejects invalid faults and pets later too', () => {
  const mock = createMock();
  for (const faults of ['flaky', undefined, [5]]) {
    expect(() => mock.setFaults(faults as never)).toThrow('faults must be a list of faults');
    expect(() => mock.forKey().setFaults(faults as never)).toThrow('faults must be a list of faults');
  }
  expect(() => mock.tenant({ pets: 'x' } as never)).toThrow('pets must be a whole number');
});

test('rejects a listener that is not a function, and keeps answering', () => {
  const mock = createMock();
  expect(() => mock.subscribe(5 as never)).toThrow(new TypeError('listener must be a function'));
  expect(mock.handle(requestOf('GET', '/pets')).kind).toBe('response');
});

test('an unknown option is rejected with the nearest name', async () => {
  expect(() => createMock({ plann: 'pro' } as never)).toThrow(
    new TypeError('Unknown option "plann". Did you mean "plan"?'),
  );
  expect(() => createMock(null as never)).toThrow(TypeError);
  const mock = createMock();
  expect(() => mock.tenant({ plann: 'pro' } as never)).toThrow('Did you mean "plan"?');
  await expect(mock.listen({ prot: 0 } as never)).rejects.toThrow('Did you mean "port"?');
});
