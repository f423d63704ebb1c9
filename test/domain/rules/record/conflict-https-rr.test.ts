import { conflictHttpsRr } from '../../../../src/domain/rules/record/conflict.js';
import {
  buildApexFacts,
  buildApexServer,
  buildServer,
  https,
  NAME,
  TARGET,
  TARGET_A,
  value,
  ZONE,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const having = (priority: number, target: string, hints: string[] = []) =>
  buildApexFacts({ servers: [buildApexServer(1, { https: value(https(ZONE, priority, target, hints)) })] });

testRule(conflictHttpsRr, [
  [
    'an alias to another host',
    having(0, 'cdn.example.net'),
    'conflict.https-rr warn',
    'HTTPS 0 cdn.example.net',
    'dig +norecurse @192.0.2.1 example.com HTTPS',
  ],
  ['an alias to the target', having(0, TARGET), 'nothing'],
  ['addresses that are not the target’s', having(1, '', ['192.0.2.99']), 'conflict.https-rr warn'],
  ['the target’s addresses', having(1, '', [TARGET_A]), 'nothing'],
  ['another host', having(1, 'cdn.example.net'), 'conflict.https-rr warn'],
  ['an alias to nowhere', having(0, ''), 'conflict.https-rr warn'],
  [
    'next to a CNAME it is removed anyway',
    { servers: [buildServer(1, { https: value(https(NAME, 0, 'cdn.example.net')) })] },
    'nothing',
  ],
]);
