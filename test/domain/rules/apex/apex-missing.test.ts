import { apexMissing } from '../../../../src/domain/rules/apex/apex-record.js';
import { buildApexFacts, buildApexServer, buildZone, nodata, silent } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const none = { a: nodata(), aaaa: nodata() };
const at = (host: string) => buildZone({ kind: 'apex', ownHosts: [host] });

testRule(apexMissing, [
  [
    'no address',
    buildApexFacts({ servers: [buildApexServer(1, none)] }),
    'apex.missing block',
    'Add ALIAS @ -> cname.platform.test, TTL 3600.',
    'ANAME',
    'dig +norecurse @192.0.2.1 example.com A',
    'dig +norecurse @192.0.2.1 example.com AAAA',
  ],
  [
    'at a provider with another name for it',
    buildApexFacts({ servers: [buildApexServer(1, none)], zone: at('amy.ns.cloudflare.com') }),
    'apex.missing block',
    'Cloudflare supports this (type CNAME in its panel)',
  ],
  [
    'at a provider without it',
    buildApexFacts({ servers: [buildApexServer(1, none)], zone: at('ns1.vultr.com') }),
    'apex.missing block',
    'Vultr has no ALIAS or ANAME records',
    'add a CNAME for www.example.com',
    'mail (MX, SPF, DKIM, DMARC)',
  ],
  [
    'the query for one family fails',
    buildApexFacts({ servers: [buildApexServer(1, { a: nodata(), aaaa: silent() })] }),
    'nothing',
  ],
]);
