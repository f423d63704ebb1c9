import { conflictHttpsRr } from '../../../../src/domain/rules/record/conflict.js';
import {
  buildApexFacts,
  buildApexServer,
  buildFacts,
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
  {
    name: 'an alias to another host',
    facts: having(0, 'cdn.example.net'),
    finds: ['conflict.https-rr warn'],
    says: ['HTTPS 0 cdn.example.net'],
    shows: ['dig +norecurse @192.0.2.1 example.com HTTPS'],
  },
  { name: 'an alias to the target', facts: having(0, TARGET), finds: [] },
  {
    name: 'addresses that are not the target’s',
    facts: having(1, '', ['192.0.2.99']),
    finds: ['conflict.https-rr warn'],
  },
  { name: 'the target’s addresses', facts: having(1, '', [TARGET_A]), finds: [] },
  { name: 'another host', facts: having(1, 'cdn.example.net'), finds: ['conflict.https-rr warn'] },
  { name: 'an alias to nowhere', facts: having(0, ''), finds: ['conflict.https-rr warn'] },
  {
    name: 'next to a CNAME it is removed anyway',
    facts: buildFacts({ servers: [buildServer(1, { https: value(https(NAME, 0, 'cdn.example.net')) })] }),
    finds: [],
  },
]);
