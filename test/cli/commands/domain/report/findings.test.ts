import { expect, test } from 'vitest';
import { probeExitCode } from '../../../../../src/cli/commands/domain/report/findings.js';

test('without a finding nothing was checked: exit code 9', () => {
  expect(probeExitCode([])).toBe(9);
});
