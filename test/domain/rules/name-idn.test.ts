import { nameIdn } from '../../../src/domain/rules/name-idn.js';
import { buildFacts, buildZone } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

const named = (unicode: string, ascii: string) => buildFacts({ domain: { input: unicode, unicode, ascii } });

testRule(nameIdn, [
  {
    name: 'shows both spellings of an umlaut',
    facts: named('bücher.example.com', 'xn--bcher-kva.example.com'),
    finds: ['name.idn info'],
    says: [
      'bücher.example.com is xn--bcher-kva.example.com in DNS',
      'in the zone example.com, enter xn--bcher-kva as the name of the record.',
    ],
  },
  {
    name: 'at an apex the label is the zone itself',
    facts: {
      ...named('bücher.example', 'xn--bcher-kva.example'),
      zone: buildZone({ name: 'xn--bcher-kva.example', kind: 'apex' }),
    },
    finds: ['name.idn info'],
    says: ['in the zone xn--bcher-kva.example, enter @ as the name'],
  },
  {
    name: 'accepts Japanese in three scripts',
    facts: named('日本のカフェ.example.com', 'xn--a.example.com'),
    finds: ['name.idn info'],
  },
  {
    name: 'warns of a Cyrillic letter among Latin ones',
    facts: named('pаypal.example.com', 'xn--pypal-4ve.example.com'),
    finds: ['name.idn warn'],
    says: ['"pаypal" mixes scripts (Latin letters with Cyrillic "а" (U+0430)), so browsers may show it as'],
  },
  {
    name: 'warns of Cyrillic letters that all look Latin',
    facts: named('сосо.example.com', 'xn--n1aac.example.com'),
    finds: ['name.idn warn'],
    says: ['"сосо" consists of Cyrillic letters that look Latin'],
  },
]);
