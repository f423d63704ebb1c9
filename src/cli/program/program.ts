import { isPetStoreError, type PetStoreError } from '../../errors.js';
import type { Action, Bind, Session } from '../session/action.js';
import { annotation, wantsAnnotations } from '../progress/annotation.js';
import { failureAfterResponse } from '../session/after-response.js';
import { requestsHelp, readCommandLine, normalizeHelp } from '../command-line/argv.js';
import { CommandFailure } from '../errors/command-failure.js';
import { PLAIN_MODULES } from './command-modules.js';
import { readPlainLine } from '../command-line/plain-line.js';
import { isCommand } from '../command-line/command-table.js';
import type { CommandTree } from '../help/command-tree.js';
import { explainConfigError } from '../config/config-files.js';
import { type Context, Interruption } from '../system/context.js';
import { type GlobalOptions, readGlobalOptions } from '../command-line/global-options.js';
import { showRequests } from '../session/recorder.js';
import { rootHelp } from '../help/root-help.js';
import { createSession } from '../session/session.js';
import { isJsonFormat } from '../session/terminal.js';
import { UsageError } from '../errors/usage-error.js';
import { redactStderr, redactKey } from '../credentials/redaction.js';

/**
 * Runs one command line.
 *
 * @param argv the arguments after the program name.
 * @returns the exit code. Never throws.
 */
export async function run(argv: readonly string[], host: Context): Promise<number> {
  const context = redactStderr(host);
  const open: { session?: Session } = {};
  try {
    return await dispatch(argv, context, open);
  } catch (error) {
    return await report(error, argv, context, open.session);
  } finally {
    await open.session?.close().catch(() => undefined);
  }
}

/**
 * Parses a command line and passes the typed options of its command to `bind`.
 *
 * @returns the help text, if help was requested.
 */
export async function parse(
  argv: readonly string[],
  columns: number | undefined,
  bind: (global: GlobalOptions) => Bind,
): Promise<string | undefined> {
  const given = readCommandLine(argv);
  if (given.path.length > 0 && !isCommand(given.path))
    throw (await import('./unknown-command.js')).unknownCommand(given);
  const line = normalizeHelp(given);
  const [group] = line.path;
  if (group === undefined && requestsHelp(line.argv)) return rootHelp(columns);

  const declare = await (group === undefined ? undefined : PLAIN_MODULES[group])?.();
  const plain =
    declare &&
    readPlainLine(line, (program) => {
      declare(program, (action, options) => bind(readGlobalOptions(plain?.global ?? {}))(action, options));
    });
  if (plain !== undefined) {
    await plain.run();
    return undefined;
  }
  const { parseWithCommander } = await import('./parse-with-commander.js');
  return parseWithCommander(line, columns, bind);
}

async function dispatch(
  argv: readonly string[],
  context: Context,
  open: { session?: Session },
): Promise<number> {
  let exitCode = 0;
  const help = await parse(argv, context.stdout.columns, (global) => async (action, options) => {
    const session = (open.session = createSession(global, context, commandTree));
    exitCode = await runAction(action, options, session);
    if (exitCode !== 0) reportExitCode(exitCode, argv, session);
  });
  if (help !== undefined) context.stdout.write(help);
  return exitCode;
}

/** Reports an exit code that no error explains: the check ran and its result is negative. */
function reportExitCode(exitCode: number, argv: readonly string[], session: Session): void {
  const { context, global } = session;
  const code = `exit code ${String(exitCode)}`;
  if (global.verbose) session.note(`exit code: ${String(exitCode)} (petstore help exit-codes)`);
  if (!wantsAnnotations(context) || session.hasAnnotatedFailure) return;
  const command = ['petstore', ...readCommandLine(argv).path].join(' ');
  context.stderr.write(annotation('error', `petstore: ${code}`, `${command} ended with ${code}`));
}

async function commandTree(): Promise<CommandTree> {
  return (await import('./read-command-tree.js')).readCommandTree();
}

async function runAction<Options>(
  action: Action<Options>,
  options: Options,
  session: Session,
): Promise<number> {
  const { recorder, context } = session;
  context.signal.throwIfAborted();
  try {
    return (await action(options, session)) ?? 0;
  } catch (error) {
    // --dry-run and --curl: the recorder rejected the first request.
    if (isWriteUnconfirmed(error))
      throw await (await import('../session/lost-write.js')).explainLostWrite(error, session);
    if (recorder === undefined || recorder.requests.length === 0)
      throw failureAfterResponse(error, session.respondedMethod);
    const { format } = session.settings;
    const { isTTY } = session.terminal.stdout;
    const indent = format === 'json' && isTTY;
    const { curl, caFile } = session.global;
    const style = { curl, caFile, keyMask: context.keyMask, json: isJsonFormat(format), indent, isTTY };
    context.stdout.write(redactKey(showRequests(recorder.requests, style), context));
    session.note('Nothing was sent.');
    return 0;
  }
}

async function report(
  error: unknown,
  argv: readonly string[],
  context: Context,
  session: Session | undefined,
): Promise<number> {
  await session?.close().catch(() => undefined);
  const interruption = interruptionOf(error, context);
  const isLostWrite = error instanceof CommandFailure && error.type === 'unknown-outcome';
  if (interruption !== undefined && !isLostWrite) return interruption.exitCode;
  const { reportError, reportStyle } = await import('./error-report.js');
  if (error instanceof UsageError) await (await import('../credentials/api-key.js')).maskStoredKeys(context);
  return reportError(await explainConfigError(error), reportStyle(argv, context, session), context);
}

function interruptionOf(error: unknown, context: Context): Interruption | undefined {
  if (error instanceof Interruption) return error;
  const reason: unknown = context.signal.aborted ? context.signal.reason : undefined;
  return reason instanceof Interruption ? reason : undefined;
}

/** Whether a write may have been carried out. */
function isWriteUnconfirmed(error: unknown): error is PetStoreError {
  if (!isPetStoreError(error) || error.outcome !== 'unknown') return false;
  return error.request !== undefined && !['GET', 'HEAD', 'OPTIONS'].includes(error.request.method);
}
