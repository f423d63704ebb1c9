import { conflictMultipleCname } from '../../../../src/domain/rules/record/conflict.js';
import { buildFacts, buildServer, cname, NAME, TARGET, value } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const pointing = (...targets: string[]) =>
  buildFacts({
    servers: [buildServer(1, { cname: value(...targets.map((target) => cname(NAME, target))) })],
  });

testRule(conflictMultipleCname, [
  [
    'one of them is the target',
    pointing('old.example.net', TARGET),
    'conflict.multiple-cname block',
    'has 2 CNAME records',
    'Remove the CNAME to old.example.net. Keep the one to cname.platform.test',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ],
  ['the same CNAME twice counts once', pointing(TARGET, TARGET), 'nothing'],
]);
