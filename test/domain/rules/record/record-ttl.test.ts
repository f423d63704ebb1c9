import { expect, test } from 'vitest';
import { recordTtl } from '../../../../src/domain/rules/record/record-state.js';
import { buildFacts, buildServer, cname, NAME, TARGET, value } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const lasting = (ttl: number) =>
  buildFacts({ servers: [buildServer(1, { cname: value(cname(NAME, TARGET, ttl)) })] });

testRule(recordTtl, [
  ['five minutes', lasting(300), 'record.ttl info', '300 s (5 min)', 'Set the TTL to 3600'],
  ['a day', lasting(86_400), 'record.ttl info'],
  ['more than a day', lasting(86_401), 'record.ttl warn', 'Changes take that long'],
  ['half a minute', lasting(30), 'record.ttl info'],
  ['less', lasting(29), 'record.ttl warn'],
]);

test('a CNAME to another name keeps its value', () => {
  const servers = [buildServer(1, { cname: value(cname(NAME, 'hop.example', 172_800)) })];
  const [finding] = recordTtl(buildFacts({ servers }));
  expect(finding?.fix).toEqual({ action: 'other', text: 'Set the TTL to 3600.', records: [] });
});
