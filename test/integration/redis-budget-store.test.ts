import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { GateStore, BudgetStore, Reading, Swap } from '../../src/client/gate/gate-store.js';
import { redisGate, type RedisGateOptions } from '../../src/client/gate/redis/redis-gate.js';
import { type CompiledClient, compileClient } from '../support/compiled-client.js';
import { rejection } from '../support/stores.js';
import { redisPackage } from '../support/redis-package.js';
import { createDaemons, type Daemons } from './daemons.js';
import { describeServers } from './lab.js';
import { whyNoRedis } from './programs.js';
import { CERTIFICATE, type RedisServer, startRedis, startTlsRedis } from './redis-server.js';

describeServers('the budgetStore in a Redis server', whyNoRedis(), () => {
  let daemons: Daemons;
  let redis: RedisServer;
  beforeAll(async () => {
    daemons = createDaemons();
    redis = await startRedis(daemons);
  });
  // Undefined if the server could not be started.
  afterAll(() => (daemons as Daemons | undefined)?.close());

  let budgets = 0;
  const storeOf = (options: Partial<RedisGateOptions> = {}): GateStore => {
    const store = redisGate({ url: redis.url, ...options } as RedisGateOptions);
    onTestFinished(() => store.close());
    return store;
  };
  /** The stores of several processes for a new budget. */
  const budgetStoresOf = (count: number): BudgetStore[] => {
    budgets += 1;
    return Array.from({ length: count }, () => storeOf().open(`budget${String(budgets)}`));
  };

  test('stores a text with a unique version and the time of the server', async () => {
    const [mine, theirs] = budgetStoresOf(2) as [BudgetStore, BudgetStore];
    const before = await timeOf(redis);
    const empty = await mine.read();
    expect(empty.text).toBeUndefined();
    const swap = await mine.swap(empty, 'ä text', 60_000);
    expect(swap).toMatchObject({ swapped: true, reading: { text: 'ä text' } });
    const seen = await theirs.read();
    expect({ ...seen, now: 0 }).toEqual({ ...swap.reading, now: 0 });
    expect(seen.now).toBeGreaterThanOrEqual(before);
    expect(seen.now).toBeLessThanOrEqual(await timeOf(redis));
    const again = await theirs.swap(seen, 'ä text', 60_000);
    expect(again.swapped).toBe(true);
    expect(again.reading.version).not.toBe(seen.version);
  });

  test('loses no update if several processes count at once', async () => {
    const budgetStores = budgetStoresOf(8);
    const addOne = async (budgetStore: BudgetStore): Promise<void> => {
      let reading: Reading = await budgetStore.read();
      for (let swapped = false; !swapped;) {
        ({ swapped, reading } = await budgetStore.swap(
          reading,
          String(Number(reading.text ?? 0) + 1),
          60_000,
        ));
      }
    };
    await Promise.all(
      budgetStores.map(async (budgetStore) => {
        for (let times = 0; times < 25; times += 1) await addOne(budgetStore);
      }),
    );
    expect((await budgetStores[0]!.read()).text).toBe('200');
  });

  test('rejects a swap after the key was deleted', async () => {
    const [budgetStore] = budgetStoresOf(1) as [BudgetStore];
    const first = await budgetStore.swap(await budgetStore.read(), 'text', 60_000);
    // Evicted, or expired.
    await redis.command('FLUSHALL');
    expect((await budgetStore.swap(first.reading, 'late', 60_000)).reading.text).toBeUndefined();
    const second = await budgetStore.swap(await budgetStore.read(), 'text', 60_000);
    expect(second.swapped).toBe(true);
    expect(await budgetStore.swap(first.reading, 'late', 60_000)).toMatchObject({ swapped: false });
  });

  test('sets the lifetime of the key', async () => {
    const store = storeOf({ prefix: 'expiry:' });
    const budgetStore = store.open('aa');
    await budgetStore.swap(await budgetStore.read(), 'text', 123_456);
    const left = Number((await redis.command('PTTL expiry:aa')).slice(1));
    expect(left).toBeGreaterThan(100_000);
    expect(left).toBeLessThanOrEqual(123_456);
  });

  test.each(['short', 'of another and longer than a version is', 'ÄÖÜ ÄÖÜ ÄÖÜ ÄÖÜ'])(
    'treats a value of another program as empty, and replaces it: %j',
    async (foreign) => {
      await redis.command(`SET foreign:aa "${foreign}"`);
      const budgetStore = storeOf({ prefix: 'foreign:' }).open('aa');
      const reading = await budgetStore.read();
      expect(reading.text).toBeUndefined();
      expect(await budgetStore.swap(reading, 'text', 60_000)).toMatchObject({ swapped: true });
      expect((await budgetStore.read()).text).toBe('text');
    },
  );

  test('continues after SCRIPT FLUSH and after a restart', async () => {
    const [budgetStore] = budgetStoresOf(1) as [BudgetStore];
    await budgetStore.swap(await budgetStore.read(), 'text', 60_000);
    expect(await redis.command('SCRIPT FLUSH')).toBe('+OK');
    expect((await budgetStore.read()).text).toBe('text');
    await redis.stop();
    expect(await rejection(read(budgetStore))).toMatchObject({ name: 'RedisFailure' });
    await redis.start();
    expect((await budgetStore.read()).text).toBeUndefined();
  });

  test('rejects in time if the server hangs, and continues when it resumes', async () => {
    const store = storeOf();
    const budgetStore = store.open('hanging');
    await budgetStore.read();
    redis.hang();
    onTestFinished(() => {
      redis.wake();
    });
    const message = expect.stringMatching(/: no response within 900 ms$/);
    // First over the open connection, then over a new one.
    expect(await rejection(read(budgetStore))).toMatchObject({ message });
    expect(await rejection(read(budgetStore))).toMatchObject({ message });
    redis.wake();
    expect((await budgetStore.read()).text).toBeUndefined();
  });

  test('rejects if the key has another type', async () => {
    await redis.command('RPUSH list:aa 1');
    const { message } = (await rejection(read(storeOf({ prefix: 'list:' }).open('aa')))) as Error;
    expect(message).toMatch(/the key of the budget holds other data$/);
  });

  test('works with the minimum permissions', async () => {
    const locked = await startRedis(daemons, ['--requirepass', 'sk0password']);
    const at = (login: string): GateStore =>
      storeOf({ url: locked.url.replace('//', `//${login}`), prefix: 'gate:' });
    const rejectionOf = async (store: GateStore): Promise<unknown> =>
      ((await rejection(read(store.open('aa')))) as Error).message.replace(/^.*\d: /, '');

    const admin = redisPackage.createClient({ url: locked.url.replace('//', '//:sk0password@') });
    await admin.connect();
    const permissions = ['~gate:*', '-@all', '+eval', '+evalsha', '+get', '+set', '+time', '+select'];
    await admin.sendCommand(['ACL', 'SETUSER', 'gate', 'on', '>p@ss/word', ...permissions]);
    await admin.close();

    for (const login of [':sk0password@', 'default:sk0password@', 'gate:p%40ss%2Fword@']) {
      const budgetStore = at(login).open('aa');
      const reading = await budgetStore.read();
      expect(await budgetStore.swap(reading, login, 60_000)).toMatchObject({ swapped: true });
    }
    expect(await rejectionOf(at(''))).toBe('a password is required');
    expect(await rejectionOf(at(':sk0wrong@'))).toBe('wrong user name or password');
  });

  test.each([
    ['-select', 'the user may not run SELECT; add +select to its ACL, or leave out the database in the URL'],
    ['-eval', 'the user may not run EVAL; add +eval to its ACL'],
    ['-evalsha', 'the user may not run EVALSHA; add +evalsha to its ACL'],
    ['-set', 'the user may not run GET, SET or TIME; add +get +set +time to its ACL'],
    [
      'resetkeys',
      'the user may not use the key of the budget; add the prefix to its ACL, such as ~petstore:gate:*',
    ],
  ])('names the right that a user with the rule %s lacks', async (rule, reason) => {
    const login = `guest${rule}`;
    await redis.command('SCRIPT FLUSH');
    await redis.command(`ACL SETUSER ${login} reset on >guest +@all ~* ${rule}`);
    const budgetStore = storeOf({ url: `${redis.url.replace('//', `//${login}:guest@`)}/1` }).open('rights');
    const error = await rejection(
      Promise.resolve(budgetStore.read()).then((reading) => swap(budgetStore, reading)),
    );
    expect(error).toMatchObject({ message: expect.stringContaining(`/1: ${reason}`) });
  });

  test('uses a client of the caller, and leaves it connected', async () => {
    const client = redisPackage.createClient({ url: redis.url });
    await client.connect();
    onTestFinished(() => client.destroy());
    const store = redisGate({ client });
    const budgetStore = store.open('client');
    expect(await budgetStore.swap(await budgetStore.read(), 'text', 60_000)).toMatchObject({ swapped: true });
    await store.close();
    expect(await client.ping()).toBe('PONG');
    expect((await storeOf().open('client').read()).text).toBe('text');
  });

  describe('in a separate process', () => {
    let compiled: CompiledClient;
    beforeAll(async () => {
      compiled = await compileClient();
    });
    afterAll(() => compiled.remove());

    /** Runs code that may use `redisGate`. Resolves with its output when the process has ended. */
    const run = async (code: string, env: Record<string, string> = {}): Promise<string> => {
      const entry = new URL('client/gate/redis/redis-gate.js', compiled.url).href;
      const script = `const { redisGate } = await import(${JSON.stringify(entry)});${code}`;
      const args = ['--input-type=module', '--eval', script];
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        env: { PATH: process.env.PATH, ...env },
      });
      return stdout;
    };

    test('keeps the process alive only until the reply arrives', async () => {
      const url = JSON.stringify(redis.url);
      expect(
        await run(`const budgetStore = redisGate({ url: ${url} }).open('alive');
          const swap = async () => budgetStore.swap(await budgetStore.read(), 'text', 60_000);
          void swap().then(({ swapped }) => console.log(swapped));`),
      ).toBe('true\n');
    });

    test('connects over TLS with a trusted CA, and otherwise says what to do', async () => {
      const { url } = await startTlsRedis(daemons);
      const code = `await redisGate({ url: ${JSON.stringify(url)} }).open('tls').read()
        .then(({ text }) => console.log('read', text), ({ message }) => console.log(message));`;
      expect(await run(code, { NODE_EXTRA_CA_CERTS: CERTIFICATE })).toBe('read undefined\n');
      expect(await run(code)).toBe(
        `${url}: the certificate is not trusted (set NODE_EXTRA_CA_CERTS to its CA)\n`,
      );
    });
  });
});

/** A store may return a value or a promise. */
async function read(budgetStore: BudgetStore): Promise<Reading> {
  return budgetStore.read();
}

async function swap(budgetStore: BudgetStore, seen: Reading): Promise<Swap> {
  return budgetStore.swap(seen, 'text', 60_000);
}

/** Returns the time of the server in milliseconds. */
async function timeOf({ url }: RedisServer): Promise<number> {
  const client = redisPackage.createClient({ url });
  await client.connect();
  const [seconds, microseconds] = (await client.sendCommand(['TIME'])) as unknown as [string, string];
  client.destroy();
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}
