import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../support/scripted-server.js';
import { listening } from '../support/loopback-port.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { runCli, startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { unansweredPort } from '../support/unanswered-port.js';
import { ROOT } from '../support/source-tree.js';

const CERTIFICATES = join(ROOT, 'test/domain/certificates');
const AUTHORITY = join(CERTIFICATES, 'root.pem');
/** A host name that does not resolve: only the proxy of the test can reach the service. */
const SERVICE = { PETSTORE_BASE_URL: 'https://shop.example.test/v1', PETSTORE_API_KEY: 'sk-secret' };

/** Starts a service with a certificate of an unknown authority. */
async function service(): Promise<{ port: number; keys: (string | undefined)[] }> {
  const pem = readFileSync(join(CERTIFICATES, 'shop.pem'));
  const keys: (string | undefined)[] = [];
  const server = createHttpsServer({ key: pem, cert: pem }, (request, response) => {
    keys.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json').end('[{"id":1,"name":"Rex","categoryId":7}]');
  });
  return { port: await listening(server), keys };
}

describe('a company proxy with its own certificate authority', () => {
  test.each([
    ['--ca', ['--ca', AUTHORITY], {}],
    ...(IS_FULL ? [['NODE_EXTRA_CA_CERTS', [], { NODE_EXTRA_CA_CERTS: AUTHORITY }] as const] : []),
    ['both', ['--ca', join(CERTIFICATES, 'self-signed.pem')], { NODE_EXTRA_CA_CERTS: AUTHORITY }],
  ] as const)(
    'reaches the service through the tunnel with %s (more with PETSTORE_TEST_FULL=1)',
    async (_, flags, env: Record<string, string>) => {
      const { port, keys } = await service();
      const proxy = await startProxy(port);
      const HTTPS_PROXY = `http://ida:hunter2@127.0.0.1:${String(proxy.port)}`;
      // Node reads the variable at its start.
      const run = 'NODE_EXTRA_CA_CERTS' in env ? runCli : runResident;
      const outcome = await run(['pets', 'list', '-q', '-v', ...flags], {
        env: { ...SERVICE, ...env, HTTPS_PROXY },
      });
      expect(outcome).toMatchObject({ exitCode: 0, stdout: '1\tRex\t7\t\n' });
      expect(keys).toEqual(['Bearer sk-secret']);
      // ida:hunter2 in base64. The proxy must not receive the API key.
      const headers = { 'proxy-authorization': 'Basic aWRhOmh1bnRlcjI=' };
      expect(proxy.requests).toMatchObject([{ method: 'CONNECT', path: 'shop.example.test:443', headers }]);
      expect(JSON.stringify(proxy.requests)).not.toMatch(/"authorization"|sk-secret/);
      expect(outcome.stderr).not.toMatch(/hunter2|sk-secret/);
    },
  );

  test('doctor checks the proxy and the certificate behind it', async () => {
    const { port, keys } = await service();
    const proxy = await startProxy(port);
    const HTTPS_PROXY = `http://127.0.0.1:${String(proxy.port)}`;
    const env = { ...SERVICE, HTTPS_PROXY };
    const { exitCode, stdout } = await runResident(['doctor', '--ca', AUTHORITY, '--fields', 'id,state'], {
      env,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('connection\tok\nservice\tok\n');
    expect(keys).toHaveLength(1);
    const untrusting = await runResident(['doctor', '--fields', 'id,state'], { env });
    expect(untrusting.exitCode).toBe(1);
    expect(untrusting.stdout).toContain('connection\tfailed\nservice\tskipped\n');
    expect(keys).toHaveLength(1);
  });

  test('without --ca nothing is sent, and the hint names the flag', async () => {
    const { port, keys } = await service();
    const proxy = await startProxy(port);
    const HTTPS_PROXY = `http://127.0.0.1:${String(proxy.port)}`;
    const { exitCode, stdout, stderr } = await runResident(['pets', 'list', '--no-retry'], {
      env: { ...SERVICE, HTTPS_PROXY },
    });
    expect({ exitCode, stdout, keys }).toEqual({ exitCode: 7, stdout: '', keys: [] });
    expect(stderr).toMatch(/\nhint: The certificate .* is not trusted\. [^]*--ca FILE/);
  });

  test('NO_PROXY bypasses the proxy', async () => {
    const proxy = await startProxy(1);
    const env = {
      ...SERVICE,
      HTTPS_PROXY: `http://127.0.0.1:${String(proxy.port)}`,
      NO_PROXY: 'example.test',
    };
    expect(await runResident(['pets', 'list', '--no-retry'], { env })).toMatchObject({
      exitCode: 7,
      stdout: '',
    });
    expect(proxy.requests).toEqual([]);
  });
});

/** Starts a proxy that treats each client in the same way, and counts the CONNECT requests. */
async function failingProxy(
  treat: (client: Socket) => void,
  onFinished = onTestFinished,
): Promise<{ url: string; heads: string[] }> {
  const heads: string[] = [];
  const server = createServer((client) => {
    client.on('data', (head) => {
      heads.push(String(head));
      treat(client);
    });
  });
  return { url: `http://ida:hunter2@127.0.0.1:${String(await listening(server, onFinished))}`, heads };
}

describe('a proxy that opens no tunnel', () => {
  const FAILURES: [string, (client: Socket) => void, number, string, string][] = [
    [
      'closes the connection',
      (client) => void client.end(),
      4,
      'No response from https://shop.example.test (ECONNRESET) through the proxy 127.0.0.1:PORT',
      'The proxy 127.0.0.1:PORT may have failed. Check HTTPS_PROXY, or add the host of the service to NO_PROXY. Run "petstore doctor" for details.',
    ],
    [
      'requires a login',
      (client) => void client.end('HTTP/1.1 407 No\r\n\r\n'),
      1,
      'The proxy does not accept the login (407)',
      'Set HTTPS_PROXY to http://USER:PASSWORD@HOST:PORT with the login of the proxy 127.0.0.1:PORT. Encode special characters, such as %40 for @.',
    ],
    [
      'can not connect',
      (client) => void client.end('HTTP/1.1 502 No\r\n\r\n'),
      4,
      'The proxy opened no connection to shop.example.test:443 (502)',
      'The proxy 127.0.0.1:PORT responds, but could not connect to https://shop.example.test. Check the base URL, or add its host to NO_PROXY.',
    ],
  ];
  // Only the login without PETSTORE_TEST_FULL=1, because the others are repeated after waits.
  test.concurrent.for(IS_FULL ? FAILURES : FAILURES.slice(1, 2))(
    '%s ends each command',
    async ([, treat, attempts, message, hint], context) => {
      const proxy = await failingProxy(treat, context.onTestFinished);
      const env = { ...SERVICE, HTTPS_PROXY: proxy.url };
      const address = new URL(proxy.url).host;
      // With retries, in processes of their own: they wait side by side.
      const run = attempts > 1 ? runCli : runResident;
      const { exitCode, stdout, stderr } = await run(['pets', 'list', '-v'], { env });
      expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
      expect(stderr).toContain(`error: ${message}\nhint: ${hint}\n`.replaceAll('127.0.0.1:PORT', address));
      expect(stderr).not.toMatch(/hunter2|aWRhOmh1bnRlcjI|sk-secret/);
      expect(proxy.heads).toHaveLength(attempts);
      const doctor = await runResident(['doctor', '--fields', 'id,state'], { env });
      expect(doctor.exitCode).toBe(1);
      expect(doctor.stdout).toContain('connection\tfailed\n');
    },
  );

  const SIGNALS = [['SIGINT', 130], ...(IS_FULL ? [['SIGTERM', 143] as const] : [])] as const;
  test.each(SIGNALS)('and never responds: %s ends the command', async (signal, exitCode) => {
    const proxy = await failingProxy(() => undefined);
    const running = startCli(['pets', 'list', '-v'], { env: { ...SERVICE, HTTPS_PROXY: proxy.url } });
    await running.seen('stderr', /> GET/);
    running.child.kill(signal);
    expect((await running.finished).exitCode).toBe(exitCode);
    expect(proxy.heads.length).toBeLessThanOrEqual(1);
  });

  const PHASES: Readonly<Record<string, () => Promise<string>>> = {
    connect: async () => `http://127.0.0.1:${String(await unansweredPort())}`,
    CONNECT: async () => (await failingProxy(() => undefined)).url,
    TLS: async () => `http://127.0.0.1:${String((await startProxy(await listening(createServer()))).port)}`,
    response: async () => {
      const pem = readFileSync(join(CERTIFICATES, 'shop.pem'));
      const port = await listening(createHttpsServer({ key: pem, cert: pem }, () => undefined));
      return `http://127.0.0.1:${String((await startProxy(port)).port)}`;
    },
  };
  const ROW = 'name,categoryId\nRex,1\n';

  type Row = [phase: string, line: string, input: string, exitCode: number];
  const MORE: Row[] = [
    ...['connect', 'TLS', 'response'].map((phase): Row => [phase, 'doctor --fields id,finding', '', 1]),
    ['CONNECT', 'api /pets --no-retry', '', 7],
    ['CONNECT', 'limits', '', 7],
    ['CONNECT', 'pets import - --format csv --no-retry -o json', ROW, 7],
    // They take seconds, because they ask again.
    ['CONNECT', 'auth login --with-key --base-url https://shop.example.test/v1', 'sk-new', 7],
    ['response', 'pets create --name Rex --category-id 1', '', 10],
    ['response', 'pets import - --format csv', ROW, 10],
  ];
  test.each<Row>([
    ...Object.keys(PHASES).map((phase): Row => [phase, 'pets list --no-retry', '', 7]),
    ['CONNECT', 'doctor --fields id,finding', '', 1],
    ['CONNECT', 'auth status', '', 7],
    ['CONNECT', 'pets import - --format csv --no-retry', ROW, 7],
    ...(IS_FULL ? MORE : []),
  ])(
    'a time-out in the phase %s names proxy and host: %s (more with PETSTORE_TEST_FULL=1)',
    async (phase, line, input, exitCode) => {
      const url = await PHASES[phase]!();
      const { host } = new URL(url);
      const folder = temporaryFolder();
      const directories = { PETSTORE_CONFIG_DIR: folder, PETSTORE_STATE_DIR: folder };
      const login = line.startsWith('auth login') ? { PETSTORE_API_KEY: '' } : {};
      const env = { ...SERVICE, HTTPS_PROXY: url, ...directories, ...login };
      const flags = ['--timeout', '300ms', '--ca', AUTHORITY];
      const outcome = await runResident([...line.split(' '), ...flags], { env, input, cwd: folder });
      expect(outcome.exitCode).toBe(exitCode);
      const text = (outcome.stdout + outcome.stderr).replaceAll('http://127', '127');
      const inTime = 'No complete response from https://shop.example.test within 300 ms';
      const named = line.startsWith('doctor') ? 'shop.example.test' : inTime;
      // On a busy machine, the time limit of the whole check of doctor may be the first one.
      const found = line.startsWith('doctor') ? text.replaceAll(inTime, named) : text;
      expect(found).toContain(`${named} through the proxy ${host}`);
      expect(text).not.toMatch(/hunter2|sk-secret|sk-new/);
    },
  );

  test.runIf(IS_FULL)('the lines about a retry say what failed (PETSTORE_TEST_FULL=1)', async () => {
    const { url } = await failingProxy(() => undefined);
    const env = { ...SERVICE, HTTPS_PROXY: url };
    const { stderr } = await runResident(['pets', 'list', '-v', '--timeout', '100ms'], { env });
    const failed = `Request failed (timeout, https://shop.example.test through the proxy ${new URL(url).host})`;
    expect(stderr).toContain(`(backoff): ${failed}\n`);
    expect(stderr).toContain(`\n${failed}. Retrying in `);
  });
});
