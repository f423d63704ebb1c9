import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDomain, type CheckOptions, type Report } from '../../src/domain/index.js';
import { freePort } from './endpoint.js';
import { createLab, describeServers, type Lab } from './lab.js';
import { startNameServer } from './name-server.js';
import { whyNotHere } from './programs.js';
import { startResolver } from './resolver.js';
import { delegationOf, platformZone, topZones, zoneAt } from './zone-text.js';

const ADDRESS = { registry: '127.53.2.1', first: '127.53.2.2', second: '127.53.2.3', resolver: '127.53.2.4' };
const NAME_SERVERS = ['registry', 'first', 'second'] as const;
const TARGET = 'cname.platform.test';

/**
 * The authoritative port stands for port 53: on one port the real servers respond, on another nothing does, and on a
 * third a resolver responds in their place.
 */
describeServers('a hostile network', whyNotHere(), () => {
  let lab: Lab<keyof typeof ADDRESS>;
  const sockets: (Socket | Server)[] = [];
  const ports = { open: 0, blocked: 0, intercepted: 0 };

  beforeAll(async () => {
    const addresses = Object.values(ADDRESS);
    lab = await createLab(ADDRESS);
    const { at, daemons } = lab;
    ports.open = lab.port;
    ports.blocked = await freePort(addresses);
    ports.intercepted = await freePort(addresses);
    const hosts = { ns1: ADDRESS.first, ns2: ADDRESS.second };
    const records = [`shop CNAME ${TARGET}.`, 'www A 192.0.2.99'];
    const zones = [
      { ...zoneAt('example.test', ADDRESS.first, records), hosts },
      { ...platformZone(ADDRESS.first), hosts },
    ];
    const top = topZones(ADDRESS.registry, zones.flatMap(delegationOf));
    await Promise.all([
      startNameServer('knot', daemons, at('registry'), top),
      startNameServer('knot', daemons, at('first'), zones),
      startNameServer('knot', daemons, at('second'), zones),
    ]);
    await startResolver('unbound', daemons, at('resolver'), at('registry'), zones);
    for (const name of NAME_SERVERS) {
      await startResolver('unbound', daemons, at(name, ports.intercepted), at('registry'), zones);
      const address = ADDRESS[name];
      sockets.push(await silentSocket(address, ports.blocked), await silentServer(address, ports.blocked));
    }
  });
  afterAll(async () => {
    for (const socket of sockets) socket.close();
    await (lab as Lab<string> | undefined)?.close();
  });

  async function check(
    domain: string,
    network: keyof typeof ports,
  ): Promise<{ report: Report; seconds: number }> {
    const options: CheckOptions = {
      systemResolvers: [{ address: ADDRESS.resolver, port: ports.open, transport: 'dns' }],
      usePublic: false,
      authoritativePort: ports[network],
    };
    const startedAt = performance.now();
    const report = await checkDomain({ domain, target: TARGET, plan: 'Pro', deployed: true }, options);
    return { report, seconds: (performance.now() - startedAt) / 1_000 };
  }

  test('an open one needs no resolver’s view', async () => {
    const { report } = await check('shop.example.test', 'open');
    expect(report.state).toBe('verified');
    expect(report.observed.authoritative).toHaveLength(2);
  });

  test('is not entered because an untrusted zone names its addresses', async () => {
    const report = await checkDomain(
      { domain: 'shop.example.test', target: TARGET, plan: 'Pro', deployed: true },
      {
        systemResolvers: [{ address: ADDRESS.resolver, port: ports.open, transport: 'dns' }],
        usePublic: false,
        trace: true,
      },
    );
    expect(report.state).toBe('inconclusive');
    const [finding] = report.findings;
    expect(finding?.message).toContain(`(${ADDRESS.first})`);
    expect(finding?.message).toContain('not queried: it is reserved for the machine itself');
    expect(report.trace?.filter(({ server }) => !server.includes(ADDRESS.resolver))).toEqual([]);
  });

  test('blocks port 53: the view of the resolver decides, and is labelled', async () => {
    const { report, seconds } = await check('shop.example.test', 'blocked');
    expect(report.state).toBe('verified');
    const finding = report.findings.find(({ id }) => id === 'zone.unreachable-ns');
    expect(finding?.severity).toBe('warn');
    expect(finding?.message).toContain(`the view of system (${ADDRESS.resolver}:${String(ports.open)})`);
    expect(report.observed.authoritative).toEqual([]);
    expect(report.observed.recursive).toMatchObject([
      { records: expect.arrayContaining([`CNAME ${TARGET}`]) },
    ]);
    expect(seconds).toBeLessThan(8);
    const wrong = await check('www.example.test', 'blocked');
    expect(wrong.report.state).toBe('action-required');
  });

  test('intercepts DNS: inconclusive, not wrong', async () => {
    const { report, seconds } = await check('shop.example.test', 'intercepted');
    expect(report.state).toBe('inconclusive');
    const finding = report.findings.find(({ id }) => id === 'zone.intercepted');
    expect(finding).toMatchObject({ axis: 'zone', severity: 'unknown' });
    expect(finding?.fix?.text).toContain('--doh');
    expect(report.findings.filter(({ severity }) => severity === 'block')).toEqual([]);
    expect(seconds).toBeLessThan(5);
  });
});

function silentSocket(address: string, port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.bind(port, address, () => resolve(socket));
  });
}

function silentServer(address: string, port: number): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  return new Promise((resolve) => {
    server.listen(port, address, () => resolve(server));
  });
}
