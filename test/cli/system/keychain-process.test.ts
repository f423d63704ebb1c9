import { expect, test } from 'vitest';
import { handleKeychainRequest, type KeychainBinding } from '../../../src/cli/system/keychain-process.js';

/** A binding that stores secrets in a map, and records the requested keychains. */
function binding(fault?: Error): {
  load: () => Promise<KeychainBinding>;
  secrets: Map<string, string>;
  stores: unknown[];
} {
  const secrets = new Map<string, string>();
  const stores: unknown[] = [];
  class Entry {
    readonly #name: string;
    constructor(service: string, account: string, options?: unknown) {
      if (fault !== undefined) throw fault;
      this.#name = `${service}/${account}`;
      stores.push(options);
    }
    getPassword(): string | null {
      return secrets.get(this.#name) ?? null;
    }
    setPassword(secret: string): void {
      secrets.set(this.#name, secret);
    }
    deleteCredential(): boolean {
      return secrets.delete(this.#name);
    }
  }
  return { load: () => Promise.resolve({ Entry }), secrets, stores };
}

const send = (request: unknown, load: () => Promise<KeychainBinding>) =>
  handleKeychainRequest(JSON.stringify(request), load);

test('saves, finds and removes a secret', async () => {
  const { load, secrets } = binding();
  expect(await send({ action: 'save', account: 'shop', secret: 'sk-1' }, load)).toEqual({ ok: true });
  expect([...secrets]).toEqual([['petstore/shop', 'sk-1']]);
  expect(await send({ action: 'find', account: 'shop' }, load)).toEqual({ ok: true, secret: 'sk-1' });
  expect(await send({ action: 'remove', account: 'shop' }, load)).toEqual({ ok: true, removed: true });
  expect(await send({ action: 'find', account: 'shop' }, load)).toEqual({ ok: true });
});

test.runIf(process.platform === 'linux')(
  'uses the secret service on Linux, which survives a reboot',
  async () => {
    const { load, stores } = binding();
    await send({ action: 'find', account: 'shop' }, load);
    expect(stores).toEqual([{ linux: { store: 'secret-service' } }]);
  },
);

test('reports a missing binding without throwing', async () => {
  const response = await send({ action: 'find', account: 'shop' }, () =>
    Promise.reject(new Error('no such module')),
  );
  expect(response).toEqual({
    ok: false,
    reason: expect.stringContaining('@napi-rs/keyring, is not installed'),
  });
});

test('reports a failure in one line, without the secret', async () => {
  const { load } = binding(new Error('sk-1 is bad\nat more'));
  expect(await send({ action: 'save', account: 'shop', secret: 'sk-1' }, load)).toEqual({
    ok: false,
    reason: '[redacted] is bad',
  });
});

test('reports a session without D-Bus as one without a keychain', async () => {
  const { load } = binding(
    new Error('Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled'),
  );
  expect(await send({ action: 'find', account: 'shop' }, load)).toEqual({
    ok: false,
    reason: 'this session has no keychain service',
  });
});
