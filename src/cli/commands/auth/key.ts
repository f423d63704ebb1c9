import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { addExamples } from '../../help/examples.js';
import { reshapingFlag } from '../../output/index.js';
import { printValue } from '../../session/print-value.js';
import { keyInUse } from './key-in-use.js';

export function registerKey(auth: Command, bind: Bind): void {
  const key = auth
    .command('key')
    .description('Print the API key in use. No other command prints it.')
    .action(() => bind(printKey, {}));
  addExamples(key, ['petstore auth key', 'petstore auth key --profile staging']);
}

async function printKey(_options: object, session: Session): Promise<undefined> {
  const { context, global } = session;
  const { secret } = await keyInUse(session);
  // Ignores the configured format, because scripts expect the bare key.
  if (global.format === undefined && reshapingFlag(global) === undefined) context.stdout.write(`${secret}\n`);
  else await printValue(secret, session);
}
