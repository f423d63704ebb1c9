import { describe, expect, test } from 'vitest';
import type { RedisAccess } from '../../../../src/client/gate/redis/redis-access.js';
import { createRedisLedger } from '../../../../src/client/gate/redis/redis-ledger.js';
import { rejection } from '../../../support/stores.js';

const VERSION = 'abcdefghijklmnop';

/** An access that returns the replies in turn, and records its runs. */
function scripted(...replies: unknown[]): {
  access: RedisAccess;
  runs: { key: string; args: readonly string[] }[];
} {
  const runs: { key: string; args: readonly string[] }[] = [];
  return {
    runs,
    access: {
      run: async (_script, key, args, read) => {
        runs.push({ key, args });
        return read(replies[runs.length - 1]);
      },
      close: async () => undefined,
    },
  };
}

describe('reading', () => {
  test('returns text, version and the time of the server', async () => {
    const { access, runs } = scripted(['0', '1772366400', '250999', VERSION, '{"remaining":7}']);
    expect(await createRedisLedger(access, 'gate:1').read()).toEqual({
      text: '{"remaining":7}',
      version: VERSION,
      now: 1_772_366_400_250,
    });
    expect(runs).toEqual([{ key: 'gate:1', args: [] }]);
  });

  test.each([
    ['nothing is stored', ['0', '1', '0', '', '']],
    ['the value is of another program', ['0', '1', '0', '', ' and more than a version']],
    ['the value is truncated', ['0', '1', '0', 'abc', '']],
  ])('returns no text if %s', async (_, reply) => {
    expect(await createRedisLedger(scripted(reply).access, 'key').read()).toMatchObject({
      text: undefined,
      now: 1_000,
    });
  });

  test('accepts buffers and numbers', async () => {
    const reply = ['0', 1, 500_000, VERSION, 'é'].map((part) =>
      typeof part === 'string' ? Buffer.from(part) : part,
    );
    expect(await createRedisLedger(scripted(reply).access, 'key').read()).toEqual({
      text: 'é',
      version: VERSION,
      now: 1_500,
    });
  });

  test.each([[[]], ['OK'], [null], [['0', 'x', '0', '', '']], [['0', '1', '0']]])(
    'rejects a reply of another shape: %j',
    async (reply) => {
      expect(
        await rejection(Promise.resolve(createRedisLedger(scripted(reply).access, 'key').read())),
      ).toBeInstanceOf(Error);
    },
  );
});

describe('swapping', () => {
  const seen = { text: undefined, version: VERSION, now: 0 };

  test('sends the seen version, a new version and the text', async () => {
    const { access, runs } = scripted(['1', '2', '0', 'written', 'text'], ['1', '3', '0', 'written', 'text']);
    const ledger = createRedisLedger(access, 'key');
    await ledger.swap(seen, 'text', 60_000);
    await ledger.swap(seen, 'text', 60_000);
    const [[before, version, text, lifetimeMs], [, other]] = runs.map(({ args }) => args) as [
      string[],
      string[],
    ];
    expect({ before, text, lifetimeMs }).toEqual({ before: VERSION, text: 'text', lifetimeMs: '60000' });
    expect(version).toMatch(/^[\w-]{16}$/);
    expect(other).not.toBe(version);
  });

  test('returns the stored text, also after a conflict', async () => {
    const ledger = createRedisLedger(
      scripted(['1', '2', '0', 'mine', 'my text'], ['0', '3', '0', 'theirs', 'their text']).access,
      'key',
    );
    expect(await ledger.swap(seen, 'my text', 1)).toEqual({
      swapped: true,
      reading: { text: 'my text', version: 'mine', now: 2_000 },
    });
    expect(await ledger.swap(seen, 'my text', 1)).toEqual({
      swapped: false,
      reading: { text: 'their text', version: 'theirs', now: 3_000 },
    });
  });

  test('succeeds if the client repeats the script', async () => {
    const access: RedisAccess = {
      run: async (_script, _key, args, read) => read(['0', '2', '0', args[1], args[2]]),
      close: async () => undefined,
    };
    expect(await createRedisLedger(access, 'key').swap(seen, 'text', 1)).toMatchObject({ swapped: true });
  });

  test.each([
    [0, '1'],
    [-5, '1'],
    [0.5, '1'],
    [1e20, String(366 * 86_400_000)],
  ])('converts a lifetime of %d ms to a number that Redis accepts', async (expiresInMs, sent) => {
    const { access, runs } = scripted(['1', '2', '0', 'mine', 'text']);
    await createRedisLedger(access, 'key').swap(seen, 'text', expiresInMs);
    expect(runs[0]?.args[3]).toBe(sent);
  });
});
