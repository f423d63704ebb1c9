import { quote } from '../../schema/control-characters.js';
import type { Settings } from '../settings/config/settings.js';
import { type Context, variable } from '../system/context.js';
import { type ColorLevel, decideColor, type OutputFormat } from '../output/index.js';
import type { Terminal } from '../output/rows/view.js';
import { forcedColumns as readColumns } from '../output/text/wrap.js';
import { UsageError } from '../errors/usage-error.js';

const WIDTH_DEFAULT = 80;

/** Reads what stdout and stderr support. Each is decided independently, because one may be piped. */
export function readTerminal(
  context: Context,
  { color: choice, profileColor }: Pick<Settings, 'color' | 'profileColor'>,
): Terminal {
  const { env } = context;
  const colorLevel = (isTTY: boolean): ColorLevel => decideColor({ choice, env, profileColor, isTTY });
  const forced = forcedColumns(context);
  const isTTY = forced !== undefined || context.stdout.isTTY;
  return {
    stdout: {
      isTTY,
      width: forced ?? context.stdout.columns ?? WIDTH_DEFAULT,
      colorLevel: colorLevel(isTTY),
    },
    stderr: {
      isTTY: context.stderr.isTTY,
      colorLevel: colorLevel(context.stderr.isTTY),
    },
  };
}

/** Whether data and errors are printed as JSON. */
export function isJsonFormat(format: OutputFormat | undefined): boolean {
  return format === 'json' || format === 'ndjson';
}

/** `PETSTORE_FORCE_TTY=COLUMNS` makes stdout a terminal of this width. @throws UsageError if it is invalid. */
function forcedColumns(context: Context): number | undefined {
  const text = variable(context, 'PETSTORE_FORCE_TTY');
  if (text === undefined) return undefined;
  const columns = readColumns(context.env);
  if (columns !== undefined) return columns;
  throw new UsageError(
    `PETSTORE_FORCE_TTY: ${quote(text)} is not a number of columns`,
    'Set it to a width such as 100, or unset it.',
  );
}
