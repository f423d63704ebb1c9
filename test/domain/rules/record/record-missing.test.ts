import { recordMissing } from '../../../../src/domain/rules/record/record-state.js';
import {
  a,
  lookupOf,
  buildAbsentServer,
  buildFacts,
  buildServer,
  buildUniformServer,
  cname,
  NAME,
  nodata,
  silent,
  throughAlias,
  txt,
  value,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const none = nodata();
const elsewhere = throughAlias(cname(NAME, 'www.example.net'));

testRule(recordMissing, [
  [
    'the name does not exist',
    { servers: [buildAbsentServer(1), buildAbsentServer(2)] },
    'record.missing block',
    'has no record yet.',
    'Add CNAME shop -> cname.platform.test, TTL 3600.',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
    'dig +norecurse @192.0.2.2 shop.example.com CNAME',
  ],
  [
    'the name exists without these types',
    { servers: [buildAbsentServer(1, { cname: none, a: none, aaaa: none })] },
    'record.missing block',
  ],
  [
    'a wildcard returns an address: nothing to remove',
    {
      servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99')) })],
      relatedNames: {
        ...buildFacts().relatedNames,
        wildcard: {
          name: '*.example.com',
          lookup: lookupOf('A', value(a('x7.shop.example.com', '192.0.2.99')), 'x7.shop.example.com'),
        },
      },
    },
    'record.missing block',
    'shop.example.com has no record of its own. The wildcard *.example.com returns A 192.0.2.99 for it',
    'Add CNAME shop -> cname.platform.test, TTL 3600. It takes precedence over the wildcard, which may stay.',
    'dig +norecurse @192.0.2.1 x7.shop.example.com A',
  ],
  [
    'a wildcard alias to another host',
    {
      servers: [
        buildServer(1, { cname: value(cname(NAME, 'www.example.net')), a: elsewhere, aaaa: elsewhere }),
      ],
      relatedNames: {
        ...buildFacts().relatedNames,
        chain: [{ from: NAME, to: 'www.example.net', ttl: 3600 }],
        wildcard: {
          name: '*.example.com',
          lookup: lookupOf(
            'CNAME',
            value(cname('x7.shop.example.com', 'www.example.net')),
            'x7.shop.example.com',
          ),
        },
      },
    },
    'record.missing block',
  ],
  [
    'other records have to be removed first',
    { servers: [buildAbsentServer(1, { txt: value(txt(NAME, 'hello')) })] },
    'nothing',
  ],
  [
    'the newest copy lacks it, an older one still has it',
    { servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 11 })] },
    'record.missing block',
  ],
  [
    'no response does not mean no record',
    { servers: [buildUniformServer(1, silent()), buildUniformServer(2, silent())] },
    'nothing',
  ],
  [
    'a failed address query does not mean no record',
    { servers: [buildAbsentServer(1, { a: silent() })] },
    'nothing',
  ],
  [
    'only an older copy lacks it',
    { servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })] },
    'nothing',
  ],
]);
