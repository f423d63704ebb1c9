import { expect, test } from 'vitest';
import { readGlobalOptions } from '../../../src/cli/command-line/global-options.js';
import { refuseRequestFlags } from '../../../src/cli/session/request-flags.js';

test.each([
  ['dryRun', '--dry-run'],
  ['curl', '--curl'],
] as const)('%s is refused by its name, unless the command has an answer to it', (option, flag) => {
  const session = { global: readGlobalOptions({ [option]: true }) };
  const refusal = { message: 'with auth logout there is no request to show', hint: `leave out ${flag}` };
  expect(() => {
    refuseRequestFlags('auth logout', session);
  }).toThrow(expect.objectContaining(refusal));
  refuseRequestFlags('config set', session, option === 'curl' ? ['dryRun'] : ['curl']);
});

test('a command without them goes on', () => {
  refuseRequestFlags('auth logout', { global: readGlobalOptions({}) });
});
