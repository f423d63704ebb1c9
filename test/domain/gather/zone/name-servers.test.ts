import { expect, test } from 'vitest';
import { resolveNameServers } from '../../../../src/domain/gather/delegation.js';
import { readZone } from '../../fake-dns.js';
import { NS1, RESOLVER, contextOf, worldOf } from '../../world.js';

test('uses glue addresses, and looks others up, of both families', async () => {
  const { context, dns } = contextOf(worldOf(['ns3 A 192.0.2.13', 'ns3 AAAA 2001:db8::13']));
  const glue = readZone('example.test', [`ns1 A ${NS1}`, 'stranger A 192.0.2.66']);
  const { servers, unresolvedHosts, failedHosts } = await resolveNameServers(
    context,
    ['ns1.example.test', 'ns3.example.test'],
    glue,
  );
  expect(servers).toEqual([
    { address: NS1, port: 53, transport: 'dns', host: 'ns1.example.test' },
    { address: '192.0.2.13', port: 53, transport: 'dns', host: 'ns3.example.test' },
    { address: '2001:db8::13', port: 53, transport: 'dns', host: 'ns3.example.test' },
  ]);
  expect([unresolvedHosts, failedHosts]).toEqual([[], []]);
  expect(dns.queries).toEqual([
    `+rd ${RESOLVER} A ns3.example.test`,
    `+rd ${RESOLVER} AAAA ns3.example.test`,
  ]);
});

test('distinguishes a host without an address from a failed lookup', async () => {
  const rcodes = { [`${RESOLVER} AAAA ns4.example.test`]: 'SERVFAIL' };
  const { context } = contextOf(worldOf([], { rcodes }));
  const { servers, unresolvedHosts, failedHosts } = await resolveNameServers(
    context,
    ['gone.example.test', 'ns4.example.test'],
    [],
  );
  expect(servers).toEqual([]);
  expect(unresolvedHosts).toEqual(['gone.example.test']);
  expect(failedHosts).toEqual(['ns4.example.test']);
});

test('limits the servers of a zone', async () => {
  const { context, dns } = contextOf(worldOf([]));
  const hosts = Array.from({ length: 200 }, (_, index) => `h${String(index)}.example.test`);
  const glue = readZone(
    'example.test',
    hosts.map((host, index) => `${host}. A 198.51.100.${String(index)}`),
  );
  expect((await resolveNameServers(context, hosts, glue)).servers).toHaveLength(32);
  await resolveNameServers(context, hosts, []);
  expect(dns.queries).toHaveLength(64);
});
