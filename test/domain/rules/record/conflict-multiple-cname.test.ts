import { conflictMultipleCname } from '../../../../src/domain/rules/record/conflict.js';
import { buildFacts, buildServer, cname, NAME, TARGET, value } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const pointing = (...targets: string[]) =>
  buildFacts({
    servers: [buildServer(1, { cname: value(...targets.map((target) => cname(NAME, target))) })],
  });

testRule(conflictMultipleCname, [
  {
    name: 'one of them is the target',
    facts: pointing('old.example.net', TARGET),
    finds: ['conflict.multiple-cname block'],
    says: ['has 2 CNAME records', 'Remove the CNAME to old.example.net. Keep the one to cname.platform.test'],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com CNAME'],
  },
  { name: 'the same CNAME twice counts once', facts: pointing(TARGET, TARGET), finds: [] },
]);
