import { expect, test } from 'vitest';
import { worstExitCode } from '../../../../../src/cli/commands/domain/report/reports.js';

// Printing is looked at in verify.test.ts and verify-page.test.ts.
test.each([
  [[], 0],
  [[0, 0], 0],
  [[0, 9], 9],
  [[9, 8, 0], 8],
  [[8, 9, 1], 1],
] as const)('the worst exit code of %j is %i', (codes, worst) => {
  expect(worstExitCode(codes)).toBe(worst);
});
