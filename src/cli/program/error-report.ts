import { causesOf } from '../../foreign-error.js';
import { annotation, wantsAnnotations } from '../settings/config/annotation.js';
import { requestsJson, textOfFlag } from './argv.js';
import { type Context, variable } from '../system/context.js';
import { describeFailure, type FailureReport, messageForPeople } from '../errors/describe-failure.js';
import { WAIT_MAX_DEFAULT_MS } from '../command-line/global-flags.js';
import {
  COLOR_CHOICES,
  decideColor,
  toJson,
  toTerminalLine,
  toTerminalText,
  wrapForTerminal,
} from '../output/index.js';
import type { Session } from '../session/session.js';
import { isJsonFormat } from '../session/terminal.js';
import { keyOf, proxyOf } from '../session/session-failure.js';

export type ReportStyle = ReturnType<typeof reportStyle>;

/** Chooses the style of an error. Without a session or a readable configuration, it searches the command line. */
export function reportStyle(argv: readonly string[], context: Context, session: Session | undefined) {
  const verbose = session?.global.verbose ?? (argv.includes('-v') || argv.includes('--verbose'));
  const quiet = session?.global.quiet ?? (argv.includes('-q') || argv.includes('--quiet'));
  const waitMaxMs = longestWait(session);
  if (session !== undefined) {
    try {
      const { settings, terminal } = session;
      return {
        json: isJsonFormat(settings.format),
        verbose,
        quiet,
        color: terminal.stderr.colorLevel > 0,
        waitMaxMs,
        key: keyOf(session),
      };
    } catch {
      // The configuration can't be read.
    }
  }
  const json = requestsJson(argv, variable(context, 'PETSTORE_OUTPUT'));
  return { json, verbose, quiet, color: hasColor(argv, context), waitMaxMs };
}

function longestWait(session: Session | undefined): number {
  if (!session?.global.retry) return Number.POSITIVE_INFINITY;
  return session.global.waitMaxMs ?? WAIT_MAX_DEFAULT_MS;
}

/** Whether stderr supports colour, by the command line and the environment only. */
function hasColor(argv: readonly string[], context: Pick<Context, 'env' | 'stderr'>): boolean {
  const { env, stderr } = context;
  const words = [textOfFlag(argv, /^--color(?:=(.*))?$/s), variable(context, 'PETSTORE_COLOR')];
  const [choice] = words.flatMap((word) => COLOR_CHOICES.find((one) => one === word) ?? []);
  return decideColor({ choice, env, isTTY: stderr.isTTY }) > 0;
}

/**
 * Prints an error on stderr.
 *
 * @returns the exit code.
 */
export function reportError(error: unknown, style: ReportStyle, context: Context): number {
  const report = describeFailure(error, style.waitMaxMs, proxyOf(error, context), style.key);
  context.stderr.write(style.json ? jsonLine(report) : textLines(report, style, context));
  // With --quiet, a JSON error is the only line, so that a program can parse stderr.
  const isOnlyLine = style.json && style.quiet;
  if (!isOnlyLine && wantsAnnotations(context)) context.stderr.write(annotationsOf(report));
  if (variable(context, 'PETSTORE_DEBUG') === '1' && error instanceof Error) {
    context.stderr.write(`${traceOf(error)}\n`);
  }
  return report.exitCode;
}

/** GitHub shows at most ten annotations of a step. */
const ANNOTATIONS_MAX = 10;

/** One annotation for each place in a file, otherwise one for the error. */
function annotationsOf(report: FailureReport): string {
  const { exitCode, places = [], isMultiline } = report;
  const title = `petstore: exit code ${String(exitCode)}`;
  const whole = (isMultiline === true ? toTerminalText : toTerminalLine)(messageForPeople(report));
  const hintLines = hintsOf(report).map((each) => `\n${toTerminalLine(`hint: ${each}`)}`);
  const shown = places.length === 0 ? [{ message: whole }] : places.slice(0, ANNOTATIONS_MAX);
  return shown
    .map(({ message, ...place }) => {
      const text = message === undefined ? whole : message === whole ? whole : toTerminalLine(message);
      return annotation('error', title, text + hintLines.join(''), place);
    })
    .join('');
}

function jsonLine(report: FailureReport): string {
  const { type, message, status, code, retryable, retryAt, requestId, exitCode, details } = report;
  const fields = {
    type,
    message,
    status: status ?? null,
    code: code ?? null,
    hint: report.hint === undefined ? null : hintsOf(report).join('\n'),
    retryable,
    retryAt: retryAt ?? null,
    exitCode,
    ...(requestId === undefined ? {} : { requestId }),
    ...details,
  };
  // Logs are read on terminals, so hidden characters of the service are escaped in a pipe too.
  return toJson({ error: fields }, { indent: false, isTTY: true });
}

function textLines(report: FailureReport, style: ReportStyle, context: Context): string {
  const line = (label: string, color: string, text: string): string => {
    const wrapped = wrapForTerminal(`${label} ${text}`, context);
    return style.color ? `\u001b[1;${color}m${label}\u001b[0m${wrapped.slice(label.length)}` : wrapped;
  };
  // Only messages of petstore may have several lines: text of the service must not look like one of them.
  const message = (report.isMultiline === true ? toTerminalText : toTerminalLine)(messageForPeople(report));
  const lines = [line('error:', '31', message)];
  for (const hint of hintsOf(report)) lines.push(line('hint:', '36', toTerminalLine(hint)));
  if (report.requestId !== undefined) lines.push(`request id: ${toTerminalLine(report.requestId)}`);
  if (style.verbose) lines.push(`exit code: ${String(report.exitCode)} (petstore help exit-codes)`);
  return `${lines.join('\n')}\n`;
}

/** The lines of the hint. */
function hintsOf({ hint, moreHints = [] }: FailureReport): readonly string[] {
  return hint === undefined ? [] : [hint, ...moreHints];
}

function traceOf(error: Error): string {
  const traces = causesOf(error).filter((cause) => cause instanceof Error);
  return traces.map(ownTrace).join('\ncaused by: ');
}

function ownTrace(error: Error): string {
  const stack = (error.stack ?? String(error)).replace(error.message, () => toTerminalLine(error.message));
  return stack.split('\n').map(toTerminalLine).join('\n');
}
