import { expect, test } from 'vitest';
import { dnsLines, readZones } from '../../../../src/cli/commands/mock/dns-zones.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test('files in the order given; one that is not there is told', async () => {
  const currentDirectory = temporaryFolder({ 'a.zone': 'a', 'b.zone': 'b' });
  const { context } = fakeContext({ currentDirectory });
  expect(await readZones(['b.zone', 'a.zone'], context)).toEqual(['b', 'a']);
  await expect(readZones(['c.zone'], context)).rejects.toThrow('File c.zone not found');
});

test('the lines are comments to a shell, and name what this machine lacks', () => {
  const where = { host: '127.0.0.1', port: 5353, addresses: ['127.0.0.1'] };
  expect(dnsLines({ ...where, missingAddresses: [] })).toEqual([
    '# DNS: petstore domain verify shop.example.test --target cname.platform.test --no-certificate ' +
      '--resolver 127.0.0.1:5353 --authoritative-port 5353',
  ]);
  expect(dnsLines({ ...where, missingAddresses: ['127.0.0.2'] })[1]).toBe(
    '# this machine has no 127.0.0.2: name servers there are at 127.0.0.1 instead',
  );
});
