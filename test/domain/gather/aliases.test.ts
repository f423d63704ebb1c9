import { describe, expect, test } from 'vitest';
import { walkAliases } from '../../../src/domain/gather/aliases.js';
import { EMPTY_ZONE } from '../../../src/domain/gather/zone.js';
import { NS1, PLATFORM, TARGET, contextOf, worldOf } from '../world.js';

describe('aliases across zones', () => {
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
    await alone.zoneCache.get('delegated', 'example.test', async () => ({ zone, failedParent: undefined }));
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
