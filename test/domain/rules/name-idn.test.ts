import { nameIdn } from '../../../src/domain/rules/name-and-account.js';
import { buildFacts, buildZone } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

const named = (unicode: string, ascii: string) => buildFacts({ domain: { input: unicode, unicode, ascii } });

testRule(nameIdn, [
  [
    'shows both spellings of an umlaut',
    named('bücher.example.com', 'xn--bcher-kva.example.com'),
    'name.idn info',
    'bücher.example.com is xn--bcher-kva.example.com in DNS',
    'in the zone example.com, enter xn--bcher-kva as the name of the record.',
  ],
  [
    'at an apex the label is the zone itself',
    {
      ...named('bücher.example', 'xn--bcher-kva.example'),
      zone: buildZone({ name: 'xn--bcher-kva.example', kind: 'apex' }),
    },
    'name.idn info',
    'in the zone xn--bcher-kva.example, enter @ as the name',
  ],
  [
    'accepts Japanese in three scripts',
    named('日本のカフェ.example.com', 'xn--a.example.com'),
    'name.idn info',
  ],
  [
    'warns of a Cyrillic letter among Latin ones',
    named('pаypal.example.com', 'xn--pypal-4ve.example.com'),
    'name.idn warn',
    '"pаypal" mixes scripts (Latin letters with Cyrillic "а" (U+0430)), so browsers may show it as',
  ],
  [
    'warns of Cyrillic letters that all look Latin',
    named('сосо.example.com', 'xn--n1aac.example.com'),
    'name.idn warn',
    '"сосо" consists of Cyrillic letters that look Latin',
  ],
]);
