import { describe, expect, test } from 'vitest';
import type { RedirectHop, RedirectWalk } from '../../../src/domain/redirect/probe-redirects.js';
import {
  hostOf,
  isLoop,
  isProbedPort,
  redirectUrl,
  leavingHop,
  nextUrl,
} from '../../../src/domain/redirect/probe-redirects.js';

const ENTRY = { from: 'old.test', to: 'new.test', status: 301 };
const PORTS = { http: 80, https: 443 };

function hop(url: string, location: string | undefined, status = 301): RedirectHop {
  return { url, response: { kind: 'response', status, location } };
}

function walk(...hops: RedirectHop[]): RedirectWalk {
  return { scheme: 'http', hops };
}

const start = 'http://old.test/p?q=1';

describe('the URL of a redirect', () => {
  test.each([
    ['/x', 301, 'http://old.test/x'],
    ['//new.test/x', 302, 'http://new.test/x'],
    ['https://NEW.test', 308, 'https://new.test/'],
    ['https://new.test/', 200, undefined],
    ['https://new.test/', 304, undefined],
    ['https://', 301, undefined],
    ['ftp://new.test/', 301, undefined],
    [undefined, 301, undefined],
  ])('%s with %s', (location, status, lead) =>
    expect(redirectUrl(hop(start, location, status))?.href).toBe(lead),
  );
});

describe('the next URL', () => {
  test.each([
    ['on the same host', 'https://old.test/p', 'https://old.test/p'],
    ['at the target', 'https://new.test/p', 'https://new.test/p'],
    ['another host', 'https://169.254.169.254/', undefined],
    ['at another port', 'https://new.test:8443/', undefined],
    ['itself', start, undefined],
    ['itself with a fragment', `${start}#x`, undefined],
  ])('%s', (_name, location, next) =>
    expect(nextUrl(walk(hop(start, location)), ENTRY, PORTS)?.href).toBe(next),
  );

  test('ends after six requests', () => {
    const hops = Array.from({ length: 6 }, (_, index) =>
      hop(`${start}&n=${index}`, `${start}&n=${index + 1}`),
    );
    expect(nextUrl(walk(...hops.slice(0, 5)), ENTRY, PORTS)).toBeDefined();
    expect(nextUrl(walk(...hops), ENTRY, PORTS)).toBeUndefined();
    expect(isLoop(walk(...hops), ENTRY)).toBe(true);
  });
});

test('recognises a loop', () => {
  const there = hop(start, 'http://new.test/p');
  expect(isLoop(walk(there), ENTRY)).toBe(false);
  expect(isLoop(walk(there, hop('http://new.test/p', 'http://old.test/other')), ENTRY)).toBe(true);
  expect(isLoop(walk(there, hop('http://new.test/p', 'https://new.test/p')), ENTRY)).toBe(false);
  expect(isLoop(walk(), ENTRY)).toBe(false);
});

test('finds the first hop to another host', () => {
  const upgrade = hop(start, 'https://old.test/p');
  const leaving = hop('https://old.test/p', 'https://new.test/p');
  expect(leavingHop(walk(upgrade, leaving, hop('https://new.test/p', '/x')), ENTRY)).toBe(leaving);
  expect(leavingHop(walk(upgrade), ENTRY)).toBeUndefined();
});

test('reads hosts and ports', () => {
  expect(hostOf(new URL('http://new.test./'))).toBe('new.test');
  expect(isProbedPort(new URL('https://new.test:8443/'), { http: 80, https: 8443 })).toBe(true);
  expect(isProbedPort(new URL('http://new.test:443/'), PORTS)).toBe(false);
});
