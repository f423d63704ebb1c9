import { expect, test } from 'vitest';
import { printableFinding } from '../../../src/domain/finding/finding.js';

test('makes every text of a finding safe, and changes nothing else', () => {
  const record = { type: 'TXT', name: 'a\u0007.example', label: 'a\u0007', value: '"\u001b[2J"', ttl: 300 };
  expect(
    printableFinding({
      id: 'conflict.other-types',
      axis: 'record',
      severity: 'block',
      message: 'x\u202ey',
      fix: { action: 'remove', text: '\r', records: [record] },
      evidence: [{ text: '\n', command: 'dig \u009b' }, { text: 'plain' }],
    }),
  ).toEqual({
    id: 'conflict.other-types',
    axis: 'record',
    severity: 'block',
    message: 'x\\u{202E}y',
    fix: {
      action: 'remove',
      text: '\\013',
      records: [{ type: 'TXT', name: 'a\\007.example', label: 'a\\007', value: '"\\027[2J"', ttl: 300 }],
    },
    evidence: [{ text: '\\010', command: 'dig \\155' }, { text: 'plain' }],
  });
});
