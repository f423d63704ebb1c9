import { describe, expect, test } from 'vitest';
import type { RedirectHop } from '../../../src/domain/probe/probe-redirects.js';
import { isProbedPort, redirectUrl } from '../../../src/domain/probe/probe-redirects.js';
import { hostOf } from '../../../src/domain/probe/request-http.js';

const PORTS = { http: 80, https: 443 };

function hop(url: string, location: string | undefined, status = 301): RedirectHop {
  return { url, response: { kind: 'response', status, location } };
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

test('reads hosts and ports', () => {
  expect(hostOf(new URL('http://new.test./'))).toBe('new.test');
  expect(isProbedPort(new URL('https://new.test:8443/'), { http: 80, https: 8443 })).toBe(true);
  expect(isProbedPort(new URL('http://new.test:443/'), PORTS)).toBe(false);
});
