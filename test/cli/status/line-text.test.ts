import { describe, expect, test } from 'vitest';
import { describeRate, describeShare, fitProgress } from '../../../src/cli/status/line-text.js';

const PARTS = [
  { text: '120/240', rank: 9 },
  { text: '50%', rank: 2 },
  { text: '', rank: 8 },
  { text: '2 min left', rank: 5 },
];

describe('a line', () => {
  test.each([
    [80, '[==============>               ]  120/240  50%  2 min left'],
    [46, '[========>         ]  120/240  50%  2 min left'],
    [34, '[==>   ]  120/240  50%  2 min left'],
    [33, '120/240  50%  2 min left'],
    [24, '120/240  50%  2 min left'],
    [23, '120/240  2 min left'],
    [18, '[==>    ]  120/240'],
    [7, '120/240'],
    [4, '120/'],
  ])('in %d columns', (columns, line) => {
    expect(fitProgress(0.5, PARTS, columns)).toBe(line);
  });

  test.each([
    [0, '[        ]'],
    [0.01, '[        ]'],
    [0.125, '[>       ]'],
    [0.5, '[===>    ]'],
    [0.99, '[======> ]'],
    [1, '[========]'],
    [7, '[========]'],
    [-1, '[        ]'],
  ])('the bar at %d', (share, bar) => {
    expect(fitProgress(share, [{ text: 'x', rank: 1 }], 13)).toBe(`${bar}  x`);
  });
});

test.each([
  [0.5, '30/min'],
  [0.97, '58/min'],
  [9.99, '599/min'],
  [250.4, '250/s'],
])('%d a second is %s', (perSecond, text) => {
  expect(describeRate(perSecond)).toBe(text);
});

test.each([
  [0, '0%'],
  [0.999, '99%'],
  [1, '100%'],
])('%d is %s', (share, text) => {
  expect(describeShare(share)).toBe(text);
});
