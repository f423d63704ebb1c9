import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { findApiKey, noApiKey } from '../../credentials/api-key.js';
import { addExamples } from '../../help/examples.js';
import { reshapingFlag } from '../../output/index.js';
import { printValue } from '../../session/print-value.js';
import { refuseMock } from './refuse-mock.js';

export function registerKey(auth: Command, bind: Bind): void {
  const key = auth
    .command('key')
    .description('Print the API key in use. No other command prints it.')
    .action(() => bind(printKey, {}));
  addExamples(key, ['petstore auth key', 'petstore auth key --profile staging']);
}

async function printKey(_options: object, session: Session): Promise<undefined> {
  refuseMock('auth key', session);
  const { settings, context, global } = session;
  const found = await findApiKey(settings, context);
  if (found === undefined) throw noApiKey(settings);
  // Ignores the configured format, because scripts expect the bare key.
  if (global.format === undefined && reshapingFlag(global) === undefined)
    context.stdout.write(`${found.secret}\n`);
  else await printValue(found.secret, session);
}
