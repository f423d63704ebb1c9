import { nameIdn } from '../../../../src/domain/diagnose/rules/name-and-account.js';
import { buildFacts, buildZone } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const named = (unicode: string, ascii: string) => buildFacts({ domain: { input: unicode, unicode, ascii } });

testRule(nameIdn, {
  'shows both spellings of an umlaut: name.idn info': [
    named('bücher.example.com', 'xn--bcher-kva.example.com'),
    'bücher.example.com is xn--bcher-kva.example.com in DNS',
    'in the zone example.com, enter xn--bcher-kva as the name of the record.',
  ],
  'at an apex the label is the zone itself: name.idn info': [
    {
      ...named('bücher.example', 'xn--bcher-kva.example'),
      zone: buildZone({ name: 'xn--bcher-kva.example', kind: 'apex' }),
    },
    'in the zone xn--bcher-kva.example, enter @ as the name',
  ],
  'letters of several scripts are no problem of their own: name.idn info': named(
    'pаypal.example.com',
    'xn--pypal-4ve.example.com',
  ),
});
