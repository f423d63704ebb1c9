import { isPetStoreError, type PetStoreError } from '../../errors.js';
import type { Session } from '../session/session.js';
import { annotation, wantsAnnotations } from '../settings/config/annotation.js';
import { failureAfterResponse } from '../session/after-response.js';
import { CommandFailure } from '../errors/command-failure.js';
import type { CommandTree } from '../command-line/command-tree.js';
import { type Context, Interruption } from '../system/context.js';
import { showRequests } from '../session/recorder.js';
import { createSession } from '../session/create-session.js';
import { rejectGlobalFlags } from '../session/command.js';
import { type ParsedLine, parseLine } from './parse-line.js';
import { isJsonFormat } from '../session/terminal.js';
import { EXIT } from '../errors/exit-codes.js';
import { UsageError } from '../errors/usage-error.js';
import { redactStderr, redactKeyInRequest } from '../settings/credentials/redaction.js';
import { forcedColumns } from '../output/text/wrap.js';

/**
 * Runs one command line.
 *
 * @param argv the arguments after the program name.
 * @returns the exit code. Never throws.
 */
export async function runLine(argv: readonly string[], host: Context): Promise<number> {
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

async function dispatch(
  argv: readonly string[],
  context: Context,
  open: { session?: Session },
): Promise<number> {
  const line = await parseLine(argv, forcedColumns(context.env) ?? context.stdout.columns);
  if (typeof line === 'string') {
    context.stdout.write(line);
    return 0;
  }
  const session = (open.session = createSession(line.global, context, commandTree, line.given));
  const exitCode = await runCommand(line, session);
  if (exitCode !== 0) reportExitCode(exitCode, line, session);
  return exitCode;
}

/** Reports an exit code that no error explains: the check ran and its result is negative. */
function reportExitCode(exitCode: number, { words }: ParsedLine, session: Session): void {
  const { context, global } = session;
  const code = `exit code ${String(exitCode)}`;
  if (global.verbose) session.note(`exit code: ${String(exitCode)} (petstore help exit-codes)`);
  if (!wantsAnnotations(context) || session.hasAnnotatedFailure) return;
  const command = ['petstore', ...words].join(' ');
  context.stderr.write(annotation('error', `petstore: ${code}`, `${command} ended with ${code}`));
}

async function commandTree(): Promise<CommandTree> {
  return (await import('./read-command-tree.js')).readCommandTree();
}

async function runCommand({ words, command, options }: ParsedLine, session: Session): Promise<number> {
  const { recorder, context } = session;
  context.signal.throwIfAborted();
  try {
    rejectGlobalFlags(words, command.rejects, session.global);
    return (await command.run(options, session)) ?? 0;
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
    const shown = showRequests(recorder.requests, style);
    const redacted = redactKeyInRequest(shown, context);
    context.stdout.write(redacted);
    if (curl && redacted !== shown)
      session.warn(
        'The request contains the key in an encoded form, shown as [key]. Replace [key] before you run the command.',
      );
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
  const isLostWrite = error instanceof CommandFailure && error.facts.type === 'unknown-outcome';
  if (interruption !== undefined && !isLostWrite) {
    if (isUnsentWrite(error) && interruption.exitCode !== EXIT.ok)
      session?.note('Stopped. The request was not carried out, so nothing was created.');
    return interruption.exitCode;
  }
  const { reportError, reportStyle } = await import('./error-report.js');
  if (error instanceof UsageError)
    await (await import('../settings/credentials/api-key.js')).maskStoredKeys(context);
  return reportError(error, reportStyle(argv, context, session), context);
}

function interruptionOf(error: unknown, context: Context): Interruption | undefined {
  if (error instanceof Interruption) return error;
  const reason: unknown = context.signal.aborted ? context.signal.reason : undefined;
  return reason instanceof Interruption ? reason : undefined;
}

/** Whether a write may have been carried out. */
function isWriteUnconfirmed(error: unknown): error is PetStoreError {
  return isPetStoreError(error) && error.outcome === 'unknown' && isWrite(error);
}

/** Whether a write was stopped during a wait, such as for the rate limit. */
function isUnsentWrite(error: unknown): boolean {
  return isPetStoreError(error) && error.outcome !== 'unknown' && isWrite(error);
}

function isWrite({ request }: PetStoreError): boolean {
  return request !== undefined && !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
}
