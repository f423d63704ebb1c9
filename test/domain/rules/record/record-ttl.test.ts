import { expect, test } from 'vitest';
import { recordTtl } from '../../../../src/domain/rules/record/record-state.js';
import { buildFacts, buildServer, cname, NAME, TARGET, value } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const lasting = (ttl: number) =>
  buildFacts({ servers: [buildServer(1, { cname: value(cname(NAME, TARGET, ttl)) })] });

testRule(recordTtl, [
  {
    name: 'five minutes',
    facts: lasting(300),
    finds: ['record.ttl info'],
    says: ['300 s (5 min)', 'Set the TTL to 3600'],
  },
  { name: 'a day', facts: lasting(86_400), finds: ['record.ttl info'] },
  {
    name: 'more than a day',
    facts: lasting(86_401),
    finds: ['record.ttl warn'],
    says: ['Changes take that long'],
  },
  { name: 'half a minute', facts: lasting(30), finds: ['record.ttl info'] },
  { name: 'less', facts: lasting(29), finds: ['record.ttl warn'] },
]);

test('a CNAME to another name keeps its value', () => {
  const servers = [buildServer(1, { cname: value(cname(NAME, 'hop.example', 172_800)) })];
  const [finding] = recordTtl(buildFacts({ servers }));
  expect(finding?.fix).toEqual({ action: 'other', text: 'Set the TTL to 3600.', records: [] });
});
