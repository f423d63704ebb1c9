import { expect, test } from 'vitest';
import { readGlobalOptions } from '../../../src/cli/command-line/global-options.js';
import { rejectRequestFlags } from '../../../src/cli/session/request-flags.js';

test.each([
  ['dryRun', '--dry-run'],
  ['curl', '--curl'],
] as const)('rejects %s unless the command supports it', (option, flag) => {
  const session = { global: readGlobalOptions({ [option]: true }) };
  const refusal = { message: '"petstore auth logout" has no request to show', hint: `Leave out ${flag}.` };
  expect(() => {
    rejectRequestFlags('auth logout', session);
  }).toThrow(expect.objectContaining(refusal));
  rejectRequestFlags('config set', session, option === 'curl' ? ['dryRun'] : ['curl']);
});

test('accepts a command line without these flags', () => {
  rejectRequestFlags('auth logout', { global: readGlobalOptions({}) });
});
