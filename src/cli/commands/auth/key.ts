import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { findApiKey, noApiKey } from '../../credentials/api-key.js';
import { addExamples } from '../../help/examples.js';
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
  const { settings, context } = session;
  const found = await findApiKey(settings, context);
  if (found === undefined) throw noApiKey(settings);
  context.stdout.write(`${found.secret}\n`);
}
