import { describe, expect, test } from 'vitest';
import { curlCommand } from '../../../src/mock/ui/requests/curl-command.js';
import { indexAfterKey } from '../../../src/mock/ui/state/request-log.js';
import { windowAt } from '../../../src/mock/ui/state/mock-time.js';

const ENTRY = {
  sequence: 1,
  at: '2026-11-21T12:00:00.000Z',
  path: '/pets',
  query: '',
  method: 'GET',
  target: '/v1/pets',
  headers: {} as Record<string, string>,
};

describe('the curl command', () => {
  test('has no key, and quotes what the shell would change', () => {
    const headers = {
      authorization: 'Bearer [redacted]',
      host: 'mock',
      'x-empty': '',
      'x-note': "$(id) 'x'",
    };
    expect(curlCommand({ ...ENTRY, target: '/v1/pets?a[]=1&b', headers }, 'http://127.0.0.1:4010')).toBe(
      [
        "curl --globoff 'http://127.0.0.1:4010/v1/pets?a[]=1&b'",
        '--header "authorization: Bearer $PETSTORE_API_KEY"',
        "--header 'x-empty;'",
        String.raw`--header 'x-note: $(id) '\''x'\'''`,
      ].join(' \\\n  '),
    );
  });

  test.each([
    ['x-note', '$(id) [redacted]'],
    ['$(id)', '[redacted]'],
    ['authorization', '$(id) [redacted]'],
  ])('never puts the text of %s: %s in double quotes', (name, value) => {
    expect(curlCommand({ ...ENTRY, headers: { [name]: value } }, '')).toContain(
      `--header '${name}: ${value}'`,
    );
  });

  test('sends the body as it was, with its method and content type', () => {
    const command = curlCommand({ ...ENTRY, method: 'PUT', body: '@file' }, '');
    expect(command).toContain("--request PUT \\\n  --header 'content-type:' \\\n  --data-raw @file");
    expect(curlCommand({ ...ENTRY, method: 'POST' }, '')).toContain('--request POST');
    expect(curlCommand({ ...ENTRY, method: 'HEAD' }, '')).toContain('--head');
  });
});

test('keys move in the list and stop at its ends', () => {
  const list = { count: 5, pageRows: 3 };
  const moves = [
    ['ArrowDown', -1, 0],
    ['ArrowUp', 0, 0],
    ['ArrowDown', 4, 4],
    ['PageDown', 0, 3],
    ['Home', 3, 0],
    ['End', 0, 4],
    ['a', 1, undefined],
  ] as const;
  for (const [key, index, next] of moves) expect(indexAfterKey(key, index, list), key).toBe(next);
});

test('a window is empty after its end', () => {
  const window = { limit: 60, used: 42, resetsAt: '2026-11-21T12:01:00.000Z' };
  const end = Date.parse(window.resetsAt);
  expect(windowAt(window, 60_000, end - 5_000)).toEqual({ limit: 60, used: 42, resetsInMs: 5_000 });
  expect(windowAt(window, 60_000, end)).toEqual({ limit: 60, used: 0, resetsInMs: 60_000 });
  expect(windowAt(window, 60_000, end + 90_000)).toEqual({ limit: 60, used: 0, resetsInMs: 30_000 });
});
