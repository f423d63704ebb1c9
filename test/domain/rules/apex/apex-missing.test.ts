import { apexMissing } from '../../../../src/domain/rules/apex/apex-record.js';
import { buildApexFacts, buildApexServer, buildZone, nodata, silent } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const none = { a: nodata(), aaaa: nodata() };
const at = (host: string) => buildZone({ kind: 'apex', ownHosts: [host] });

testRule(apexMissing, [
  {
    name: 'no address',
    facts: buildApexFacts({ servers: [buildApexServer(1, none)] }),
    finds: ['apex.missing block'],
    says: ['Add ALIAS @ -> cname.platform.test, TTL 3600.', 'ANAME'],
    shows: ['dig +norecurse @192.0.2.1 example.com A', 'dig +norecurse @192.0.2.1 example.com AAAA'],
  },
  {
    name: 'at a provider with another name for it',
    facts: buildApexFacts({ servers: [buildApexServer(1, none)], zone: at('amy.ns.cloudflare.com') }),
    finds: ['apex.missing block'],
    says: ['Cloudflare supports this (type CNAME in its panel)'],
  },
  {
    name: 'at a provider without it',
    facts: buildApexFacts({ servers: [buildApexServer(1, none)], zone: at('ns1.vultr.com') }),
    finds: ['apex.missing block'],
    says: [
      'Vultr has no ALIAS or ANAME records',
      'add a CNAME for www.example.com',
      'mail (MX, SPF, DKIM, DMARC)',
    ],
  },
  {
    name: 'the query for one family fails',
    facts: buildApexFacts({ servers: [buildApexServer(1, { a: nodata(), aaaa: silent() })] }),
    finds: [],
  },
]);
