import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../../../src/client/contract/options.js';
import { NEW_PET, REX } from '../../support/rex.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';
import { openScripted, openStore, rejection, type StoreUnderTest } from '../../support/stores.js';
import { settle, until } from '../../support/virtual-clock.js';

const never = (): Promise<never> => new Promise(() => undefined);

/** The ways to end a call. */
const ENDS: readonly (readonly [string, string, (test: StoreUnderTest) => [CallOptions, () => unknown]])[] = [
  [
    'the signal',
    'aborted',
    () => {
      const controller = new AbortController();
      return [
        { signal: controller.signal },
        () => {
          controller.abort('stopped');
        },
      ];
    },
  ],
  ['the deadline', 'timeout', ({ clock }) => [{ deadlineMs: 5_000 }, () => clock.advance(5_000)]],
];

describe.each(ENDS)('%s ends a call', (_, type, end) => {
  test('whose beforeSend never settles, and releases the permit', async () => {
    const server = await startScriptedServer(json(REX, 201));
    const opened = openStore(server.baseUrl);
    const [options, stop] = end(opened);
    let isCalled = false;
    const beforeSend = (): Promise<void> => {
      isCalled = true;
      return never();
    };
    const failed = rejection(opened.store.pets.create(NEW_PET, { ...options, beforeSend }));
    await until(() => isCalled);
    await stop();
    expect(await failed).toMatchObject({ type, outcome: 'not-sent' });
    expect(server.requests).toHaveLength(0);
    expect(await opened.store.pets.create(NEW_PET)).toMatchObject({ id: 1n });
    await opened.store.close();
  });

  const schema = (onCall: () => void) => ({
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: () => {
        onCall();
        return never();
      },
    },
  });

  test.each([
    ['GET', type],
    ['POST', type === 'aborted' ? type : 'unknown-outcome'],
  ])('whose schema never settles (%s)', async (method, expected) => {
    const server = await startScriptedServer(json({}, 200));
    const opened = openStore(server.baseUrl);
    const [options, stop] = end(opened);
    let isCalled = false;
    const validated = schema(() => (isCalled = true));
    const failed = rejection(opened.store.request(method, '/pets', null, { ...options, schema: validated }));
    await until(() => isCalled);
    await stop();
    expect(await failed).toMatchObject({ type: expected, outcome: 'unknown' });
    await opened.store.close();
  });
});

const LIMITS = [
  ['deadlineMs', 'deadline'],
  ['timeoutMs', 'attempt'],
] as const;

describe.each(LIMITS)('%s ends the wait for a function that never settles', (setting, limit) => {
  const timeout = (option: string) => ({
    type: 'timeout',
    limit,
    outcome: 'not-sent',
    message: `The function ${option} returned nothing within 5 s`,
  });

  test.each(['apiKey', 'headers'])('%s', async (option) => {
    const { server, store, clock } = await openScripted([json(REX, 201)], { [option]: never });
    const failed = rejection(store.pets.create(NEW_PET, { [setting]: 5_000 }));
    await settle();
    await clock.advance(5_000);
    expect(await failed).toMatchObject({ ...timeout(option), request: { method: 'POST' } });
    expect(server.requests).toHaveLength(0);
    expect(clock.pending).toBe(0);
  });

  test('apiKey of budget()', async () => {
    const { store, clock } = openStore('https://api.test/v1', { apiKey: never, [setting]: 5_000 });
    const failed = rejection(store.budget());
    await settle();
    await clock.advance(5_000);
    expect(await failed).toMatchObject(timeout('apiKey'));
    expect(clock.pending).toBe(0);
  });

  test('apiKey after a 401', async () => {
    const server = await startScriptedServer(json({}, 401));
    let calls = 0;
    const apiKey = (): Promise<string> => ((calls += 1) === 1 ? Promise.resolve('key') : never());
    const { store, clock } = openStore(server.baseUrl, { apiKey });
    const failed = rejection(store.pets.list({}, { [setting]: 5_000 }));
    await until(() => calls === 2);
    await clock.advance(5_000);
    const expected = { ...timeout('apiKey'), outcome: 'refused' };
    expect(await failed).toMatchObject(
      limit === 'deadline' ? expected : { type: 'authentication', cause: { message: expected.message } },
    );
  });
});
