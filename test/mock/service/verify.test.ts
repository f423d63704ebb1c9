import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { frozenClock, NOON, sendRequest } from '../send-request.js';

test('fails on a request one millisecond before Retry-After has passed', () => {
  const mock = createMock({ clock: frozenClock });
  for (let sent = 0; sent < 61; sent += 1) sendRequest(mock, 'GET', '/pets');
  expect(mock.verify.respectedRetryAfter).not.toThrow();
  mock.advance('30s');
  sendRequest(mock, 'GET', '/pets');
  expect(mock.verify.respectedRetryAfter).not.toThrow();

  const hasty = createMock({ clock: frozenClock });
  for (let sent = 0; sent < 61; sent += 1) sendRequest(hasty, 'GET', '/pets');
  hasty.advance(29_999);
  sendRequest(hasty, 'GET', '/pets/1');
  expect(hasty.verify.respectedRetryAfter).toThrow(/#62 .* GET \/pets\/1 → 429, 1 ms early/);
});

test.each([
  ['until-reset', 61],
  ['until-unbanned', 71],
])('%s waits as long as a client that respects Retry-After', (by, count) => {
  const mock = createMock({ clock: { now: () => NOON + 150 } });
  for (let sent = 0; sent < count; sent += 1) sendRequest(mock, 'GET', '/pets');
  mock.clearJournal();
  mock.advance(400);
  const wait = Number(sendRequest(mock, 'GET', '/pets').headers['retry-after']);
  expect(mock.advance(by).getTime()).toBe(NOON + 550 + wait * 1_000);
  expect(sendRequest(mock, 'GET', '/pets').status).toBe(200);
  expect(mock.verify.respectedRetryAfter).not.toThrow();
});

test('Retry-After of one key does not affect another', () => {
  const mock = createMock({ clock: frozenClock, faults: ['rate-limit'] });
  sendRequest(mock, 'GET', '/pets');
  sendRequest(mock, 'GET', '/pets', { key: mock.tenant() });
  sendRequest(mock, 'GET', '/pets', { key: 'wrong' });
  expect(mock.verify.respectedRetryAfter).not.toThrow();
});

test('counts by method and path, and lists the actual requests', () => {
  const mock = createMock();
  sendRequest(mock, 'GET', '/pets?limit=5');
  sendRequest(mock, 'POST', '/pets', { body: { name: 'Rex', categoryId: 1 } });
  mock.verify.count({ method: 'post' }, 1);
  mock.verify.count({ path: '/pets' }, 2);
  mock.verify.count({ path: '/v1/pets', method: 'GET' }, 1);
  mock.verify.count({ method: 'DELETE' }, 0);
  mock.verify.count({}, 2);
  expect(() => {
    mock.verify.count({ method: 'POST', path: '/pets' }, 2);
  }).toThrow(/Expected 2 × POST \/pets, received 1[^]*GET \/pets\?limit=5 → 200/);
  expect(() => createMock().verify.count({ method: 'GET' }, 1)).toThrow('the journal is empty');
});

test('counts requests that the journal no longer has, and says that it is too short to show them', () => {
  const mock = createMock({ clock: frozenClock, journalMax: 2, faults: ['rate-limit'] });
  sendRequest(mock, 'GET', '/pets');
  sendRequest(mock, 'GET', '/pets');
  const key = mock.tenant();
  for (let sent = 0; sent < 3; sent += 1) sendRequest(mock, 'GET', '/pets/1', { key });
  mock.verify.count({}, 5);
  mock.verify.count({ status: 429, path: '/pets' }, 2);
  mock.forKey(key).verify.count({ path: '/pets/1' }, 3);
  expect(mock.forKey(key).verify.respectedRetryAfter).not.toThrow();
  expect(mock.verify.respectedRetryAfter).toThrow(/#2 .* GET \/pets → 429, 1000 ms early/);
  expect(() => mock.verify.count({ method: 'POST' }, 1)).toThrow(
    /received 0; the last requests are:\n {2}#4 [^]*no longer has 3 of the requests; raise journalMax \(--journal\)/,
  );
  mock.forKey(key).reset();
  mock.forKey(key).verify.count({}, 0);
  mock.verify.count({}, 5);
  mock.removeTenant(key);
  mock.verify.count({ path: '/pets/1' }, 3);
  mock.clearJournal();
  mock.verify.count({}, 0);
});

test('says if there were too many different requests to count', () => {
  const mock = createMock({ plan: 'unlimited', journalMax: 1 });
  for (let sent = 0; sent < 10_001; sent += 1) sendRequest(mock, 'GET', `/pets/${String(sent)}`);
  expect(() => mock.verify.count({}, 10_001)).toThrow('1 requests are in no count');
});

test('lists 20 early requests, and counts the others', () => {
  const mock = createMock({ clock: frozenClock, faults: ['rate-limit'] });
  for (let sent = 0; sent < 24; sent += 1) sendRequest(mock, 'GET', '/pets');
  expect(mock.verify.respectedRetryAfter).toThrow(/#21 .*\n {2}and 3 more$/);
});

test.each([
  [{ metod: 'POST' }, 1, 'Unknown property of a filter "metod". Did you mean "method"?'],
  [{ path: 'pets' }, 1, 'path must be a path that starts with /, such as /pets'],
  [{ status: '200' }, 1, 'status must be a whole number'],
  [{ since: 1 }, 1, 'Unknown property of a filter "since". Known: method, path, status.'],
  [{}, { minimum: 1 }, 'Unknown property of a count "minimum". Known: min, max.'],
  [{}, { min: '1' }, 'min must be a whole number of 0 or more'],
  [{}, { min: 2, max: 1 }, 'min (2) must be at most max (1)'],
  [{}, Number.NaN, 'The expected count must be a whole number of 0 or more'],
])('count(%j, %j) throws', (match, expected, message) => {
  const { verify } = createMock();
  // As JavaScript or a mistyped cast passes it.
  expect(() => verify.count(match as object, expected as number)).toThrow(new TypeError(message));
});

test('waitForRequests rejects an unknown property', () => {
  expect(() => createMock().waitForRequests({ pth: '/pets' } as object)).toThrow(
    new TypeError('Unknown property of a filter "pth". Did you mean "path"?'),
  );
});
