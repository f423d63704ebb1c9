import { expect, test } from 'vitest';
import { finding } from '../../../src/domain/report/finding.js';

test('lists each evidence once', () => {
  const evidence = ['a', 'b', 'a'].map((text) => ({ text }));
  const { evidence: listed } = finding('record.dangling', 'block', { message: 'm', evidence });
  expect(listed).toEqual([{ text: 'a' }, { text: 'b' }]);
});
