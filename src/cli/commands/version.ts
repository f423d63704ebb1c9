import type { Column } from '../output/index.js';
import type { Session } from '../session/session.js';
import { defineCommand, outputFields } from '../session/command.js';
import { configPath } from '../system/files/paths.js';
import { VERSION } from '../../version.js';

declare const __PETSTORE_COMMIT__: string | undefined;

/** The commit of the build, if it was built from a checkout. */
const COMMIT = typeof __PETSTORE_COMMIT__ === 'string' ? __PETSTORE_COMMIT__ : undefined;

const COLUMNS: readonly Column[] = [
  { field: 'version', header: 'version', fixed: true },
  { field: 'commit', header: 'commit' },
  { field: 'runtime', header: 'runtime' },
  { field: 'node', header: 'node' },
  { field: 'platform', header: 'platform' },
  { field: 'configPath', header: 'configuration' },
];

export const version = defineCommand({
  word: 'version',
  description: 'Show the version. With --json: also commit, runtime, platform and configuration path.',
  fields: outputFields(COLUMNS),
  examples: ['petstore version', 'petstore version --json', 'petstore --version'],
  run: showVersion,
});

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
    runtime: context.runtime,
    node: context.nodeVersion,
    platform: context.platform,
    configPath: configPath(context),
  };
  await session.print({ kind: 'record', row, columns: COLUMNS });
}
