import { describe, expect, onTestFinished, test } from 'vitest';
import { createPetStore } from '../../../src/index.js';
import {
  type Responder,
  rawThenEnd,
  reset,
  silence,
  startScriptedServer,
} from '../../support/scripted-server.js';

/** `.ci/run` installs undici 8, which needs a newer Node than this package. */
const versions: [string, string][] = [['7', 'undici']];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const undici8 = process.env.PETSTORE_TEST_UNDICI ?? '';
if (undici8 !== '' && (major > 22 || (major === 22 && minor >= 19)))
  versions.push(['8', `${undici8}/index.js`]);

/** A proxy that ends the connection makes the agent of undici 7 reconnect, but the call ends. */
const PROXIES: [string, Responder, RegExp][] = [
  ['closes the connection', (socket) => void socket.end(), /^(?:connection|timeout)$/],
  ['resets the connection', reset, /^connection$/],
  ['requires a login', rawThenEnd('HTTP/1.1 407 No\r\n\r\n'), /^connection$/],
  ['sends garbage', rawThenEnd('what?\r\n\r\n'), /^connection$/],
  ['never responds', silence, /^timeout$/],
];

describe.each(versions)('EnvHttpProxyAgent of undici %s', (version, name) => {
  test.each(PROXIES)('with a proxy that %s: the call ends', async (what, proxy, type) => {
    const { EnvHttpProxyAgent } = (await import(name)) as typeof import('undici');
    const server = await startScriptedServer(proxy);
    const dispatcher = new EnvHttpProxyAgent({ httpsProxy: server.origin, noProxy: '' });
    onTestFinished(() => dispatcher.destroy());
    const store = createPetStore({
      apiKey: 'k',
      baseUrl: 'https://shop.example.test/v1',
      gate: 'memory',
      dispatcher,
      timeoutMs: 60,
      retry: { attemptsMax: 2, baseDelayMs: 1 },
    });
    await expect(store.pets.list()).rejects.toMatchObject({ type: expect.stringMatching(type) as string });
    const isReconnecting = version === '7' && what === 'closes the connection';
    if (!isReconnecting) expect(server.requests.length).toBeLessThanOrEqual(2);
    await store.close();
    await dispatcher.destroy();
    const after = server.connections;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(server.connections).toBe(after);
  });
});
