import type { Command } from 'commander';
import { addExamples } from '../../help/examples.js';
import type { Column } from '../../output/index.js';
import type { Bind, Session } from '../../session/action.js';
import { configPath } from '../../files/paths.js';
import { describeFields } from '../../help/describe-fields.js';
import { VERSION } from '../../../version.js';

declare const __PETSTORE_COMMIT__: string | undefined;

/** The commit of the build, if it was built from a checkout. */
const COMMIT = typeof __PETSTORE_COMMIT__ === 'string' ? __PETSTORE_COMMIT__ : undefined;

const COLUMNS: readonly Column[] = [
  { field: 'version', header: 'version', fixed: true },
  { field: 'commit', header: 'commit' },
  { field: 'node', header: 'node' },
  { field: 'platform', header: 'platform' },
  { field: 'configPath', header: 'configuration' },
];

export function registerVersion(program: Command, bind: Bind): void {
  const command = program
    .command('version')
    .description(
      'Show the version. With --json: also commit, Node.js version, platform and configuration path.',
    )
    .action(() => bind(showVersion, {}));
  describeFields(command, COLUMNS);
  addExamples(command, ['petstore version', 'petstore version --json', 'petstore --version']);
}

/** Ignores the configured format, so that a broken configuration does not hide the version. */
async function showVersion(_options: object, session: Session): Promise<undefined> {
  const { context, global } = session;
  if (global.format === undefined) {
    context.stdout.write(`${VERSION}\n`);
    return;
  }
  const row = {
    version: VERSION,
    commit: COMMIT ?? null,
    node: context.nodeVersion,
    platform: context.platform,
    configPath: configPath(context),
  };
  await session.print({ kind: 'record', row, columns: COLUMNS });
}
