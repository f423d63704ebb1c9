import { expect, test } from 'vitest';
import { probeExitCode } from '../../../../src/cli/commands/domain/probing.js';
import { buildFinding } from './report-builder.js';

test.each([
  [['info', 'warn'], 0],
  [['info', 'unknown'], 9],
  [[], 9],
  [['unknown', 'wait'], 8],
  [['wait', 'block'], 1],
] as const)('findings of %j: exit code %i', (severities, code) => {
  expect(probeExitCode(severities.map((severity) => buildFinding({ severity })))).toBe(code);
});
