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
    isAbsent: true,
  });
});

test('reports a failure in one line, without the secret', async () => {
  const { load } = binding(new Error('sk-1 is bad\nat more'));
  expect(await send({ action: 'save', account: 'shop', secret: 'sk-1' }, load)).toEqual({
    ok: false,
    reason: '[redacted] is bad',
  });
});

const NO_SERVICE = 'this session has no keychain service';

test.each([
  ['Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled', NO_SERVICE],
  ['Platform failure: DBus error: Could not parse server address: Unknown address type', NO_SERVICE],
  ['Platform failure: DBus error: Failed to connect to socket /run/user/1/bus: No such file', NO_SERVICE],
  ['Platform failure: DBus error: The name org.freedesktop.secrets was not provided by any file', NO_SERVICE],
  ["Couldn't access platform storage: No DBus session or Secret Service provider found", NO_SERVICE],
  // gnome-keyring 42.1 after a log-in with ssh: ReadAlias("default") is "/".
  [
    "Couldn't access platform storage: Secret Service: no result found",
    'its service has no collection for secrets yet',
  ],
  ['Platform failure: DBus error: Process org.freedesktop.secrets exited with status 1', undefined],
  ["Couldn't access platform storage: Secret Service: unlock prompt was dismissed", undefined],
  ['Platform failure: User interaction is not allowed.', undefined],
])('%s: absent because %j', async (message, absence) => {
  const { load } = binding(new Error(message));
  const response = await send({ action: 'check' }, load);
  expect(response).toEqual(
    absence === undefined
      ? { ok: false, reason: message.replace(/^.*?: /, '') }
      : { ok: false, reason: absence, isAbsent: true },
  );
});
