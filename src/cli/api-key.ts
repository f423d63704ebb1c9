import { CommandFailure } from './command-failure.js';
import { type Context, variable } from './context.js';
import { EXIT } from './exit.js';
import { UsageError } from './usage-error.js';

/** The API key in force. Never put it into a message. */
export function readApiKey(context: Pick<Context, 'env'>): string {
  const key = variable(context, 'PETSTORE_API_KEY');
  if (key === undefined) {
    throw new CommandFailure('no API key', {
      type: 'no-api-key',
      exitCode: EXIT.auth,
      hint: 'set PETSTORE_API_KEY, or try --mock',
    });
  }
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const fault = /[\r\n]/.test(key) ? 'a line break' : 'a blank, control or non-ASCII character';
  throw new UsageError(
    `PETSTORE_API_KEY holds ${fault}, which no request header can carry`,
    "set it again, without what came along when it was copied: export PETSTORE_API_KEY='…'",
  );
}
