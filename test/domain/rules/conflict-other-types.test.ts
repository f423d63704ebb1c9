import { conflictOtherTypes } from '../../../src/domain/rules/conflict-other-types.js';
import { a, buildAbsentServer, buildFacts, mx, NAME, TARGET_A, txt, value } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

const mail = { mx: value(mx(NAME, 'mail.example.com')), txt: value(txt(NAME, 'v=spf1 -all')) };

testRule(conflictOtherTypes, [
  {
    name: 'mail at the name',
    facts: buildFacts({ servers: [buildAbsentServer(1, mail)] }),
    finds: ['conflict.other-types block'],
    says: ['has MX and TXT: MX 10 mail.example.com and TXT "v=spf1 -all"', 'Move MX and TXT to another name'],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com MX'],
  },
  {
    name: 'a provider that follows the alias itself may have mail beside it',
    facts: buildFacts({
      servers: [
        buildAbsentServer(1, {
          ...mail,
          a: value(a(NAME, TARGET_A, 60)),
          aAgain: value(a(NAME, TARGET_A, 58)),
        }),
      ],
    }),
    finds: [],
  },
]);
