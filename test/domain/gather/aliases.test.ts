import { describe, expect, test } from 'vitest';
import { queryZoneOrResolver, queryZone, walkAliases } from '../../../src/domain/gather/aliases.js';
import { EMPTY_ZONE } from '../../../src/domain/gather/zone/zone.js';
import { NS1, PLATFORM, RESOLVER, TARGET, contextOf, resolverQueries, worldOf } from '../world.js';

describe('the server to query', () => {
  test('is one of the zone', async () => {
    const { context, dns } = contextOf(worldOf([]));
    const lookup = await queryZoneOrResolver(context, TARGET, 'A');
    expect(lookup).toMatchObject({ outcome: 'value', server: { address: PLATFORM } });
    expect(resolverQueries(dns, TARGET)).toEqual([]);
  });

  test('is a resolver if those of the zone do not respond', async () => {
    const { context } = contextOf(worldOf([], { faults: { [PLATFORM]: 'silent' } }));
    expect(await queryZoneOrResolver(context, TARGET, 'A')).toMatchObject({
      outcome: 'value',
      server: { address: RESOLVER },
    });
  });

  test('is not a resolver for a name that may not exist yet', async () => {
    const { context, dns } = contextOf(worldOf([], { faults: { [PLATFORM]: 'silent' } }));
    expect(await walkAliases(context, TARGET, 'A', queryZone)).toMatchObject({ outcome: 'failed' });
    expect(resolverQueries(dns, TARGET)).toEqual([]);
  });

  test('is unknown if no server responds', async () => {
    const { context } = contextOf(worldOf([], { faults: { [PLATFORM]: 'silent', [RESOLVER]: 'silent' } }));
    expect(await queryZoneOrResolver(context, TARGET, 'A')).toMatchObject({ outcome: 'failed' });
    const { context: alone } = contextOf({ ...worldOf([]), resolvers: [] });
    expect(await queryZoneOrResolver(alone, TARGET, 'A')).toBeUndefined();
  });
});

describe('aliases across zones', () => {
  test('are followed to the records at their end', async () => {
    const { context } = contextOf(worldOf(['a CNAME b', `b CNAME ${TARGET}.`]));
    const lookup = await walkAliases(context, 'a.example.test', 'A');
    // The last server's response, with its own question.
    expect(lookup).toMatchObject({
      outcome: 'value',
      server: { address: PLATFORM },
      question: { name: TARGET, type: 'A' },
    });
    expect(lookup?.chain.map(({ name }) => name)).toEqual(['a.example.test', 'b.example.test']);
  });

  test('end at a missing name', async () => {
    const { context } = contextOf(worldOf(['a CNAME gone.platform.test.']));
    expect(await walkAliases(context, 'a.example.test', 'A')).toMatchObject({ outcome: 'nxdomain' });
  });

  test('may end in an unregistered zone, or one without known servers', async () => {
    const { context } = contextOf(worldOf(['a CNAME x.nobody.test.']));
    expect(await walkAliases(context, 'a.example.test', 'A')).toMatchObject({
      outcome: 'nxdomain',
      question: { name: 'nobody.test', type: 'NS' },
      chain: [{ name: 'a.example.test' }],
    });
    const homeless = { ...worldOf(['a CNAME x.homeless.test.']), resolvers: [] };
    const { context: alone } = contextOf(homeless);
    const zone = {
      ...EMPTY_ZONE,
      name: 'example.test',
      registrable: 'example.test',
      servers: [{ address: NS1, port: 53, transport: 'dns' as const, host: 'ns1.example.test' }],
    };
    await alone.delegatedZones.get('example.test', async () => ({ zone, failedParent: undefined }));
    expect(await walkAliases(alone, 'a.example.test', 'A')).toMatchObject({
      outcome: 'failed',
      failure: 'no name servers known for x.homeless.test',
      chain: [{ name: 'a.example.test' }],
    });
  });

  test('end at a repeated name', async () => {
    const zones = { 'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, 'cname CNAME a.example.test.'] };
    const { context, dns } = contextOf(worldOf([`a CNAME ${TARGET}.`], { zones }));
    expect(await walkAliases(context, 'a.example.test', 'A')).toMatchObject({ outcome: 'nodata' });
    expect(dns.queries.filter((line) => line.endsWith(` A ${TARGET}`))).toHaveLength(1);
  });
});
