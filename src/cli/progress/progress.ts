import type { Context } from '../system/context.js';

/** Says how far something has come, in at most so many columns; infinitely many where it goes to no terminal. */
export type ProgressText = (columns: number) => string;

/** One line on stderr that follows long work. */
export interface Progress {
  /** From now on shows what `text` says. It is asked anew for each drawing, so it may count down. */
  show(text: ProgressText): void;
  /** Takes the line off the terminal, for something else to be written; the next drawing brings it back. */
  hide(): void;
  /** Takes it off for good. */
  clear(): void;
}

/** Ten drawings a second are as many as anybody sees. */
const DRAWN_EVERY_MS = 100;
/** For what changes by itself, such as a count-down. */
const TICK_MS = 1_000;
const LOGGED_EVERY_MS = 10_000;
const COLUMNS_DEFAULT = 80;
/** A line that reaches the last column may wrap, and what wraps can't be rewritten; nor may the `^C` that terminals echo. */
const RIGHT_MARGIN = 3;
const CLEAR_LINE = '\r\u001b[K';

/** On a terminal one line, rewritten in place; elsewhere a line every 10 seconds; with `quiet` nothing. */
export function createProgress(context: Pick<Context, 'stderr' | 'clock'>, quiet: boolean): Progress {
  if (quiet) return { show: () => undefined, hide: () => undefined, clear: () => undefined };
  return context.stderr.isTTY ? createDrawnLine(context) : createLoggedLines(context);
}

function createDrawnLine({ stderr, clock }: Pick<Context, 'stderr' | 'clock'>): Progress {
  let text: ProgressText | undefined;
  let drawn = '';
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: { dueAt: number; cancel: () => void } | undefined;

  function hide(): void {
    if (drawn !== '') stderr.write(CLEAR_LINE);
    drawn = '';
  }

  function draw(): void {
    timer?.cancel();
    timer = undefined;
    if (text === undefined) return;
    drawnAt = clock.now();
    const line = text(Math.max(1, (stderr.columns ?? COLUMNS_DEFAULT) - RIGHT_MARGIN));
    if (line !== drawn) stderr.write(CLEAR_LINE + line);
    drawn = line;
    drawIn(TICK_MS);
  }

  function drawIn(delayMs: number): void {
    const dueAt = clock.now() + delayMs;
    if (timer !== undefined && timer.dueAt <= dueAt) return;
    timer?.cancel();
    timer = { dueAt, cancel: clock.setTimeout(draw, delayMs) };
  }

  return {
    show(next) {
      text = next;
      const dueMs = drawnAt + DRAWN_EVERY_MS - clock.now();
      if (dueMs <= 0) draw();
      else drawIn(dueMs);
    },
    hide,
    clear() {
      text = undefined;
      timer?.cancel();
      timer = undefined;
      hide();
    },
  };
}

function createLoggedLines({ stderr, clock }: Pick<Context, 'stderr' | 'clock'>): Progress {
  let text: ProgressText | undefined;
  let cancel: (() => void) | undefined;
  const log = (): void => {
    if (text !== undefined) stderr.write(`${text(Number.POSITIVE_INFINITY)}\n`);
    cancel = clock.setTimeout(log, LOGGED_EVERY_MS);
  };
  return {
    show(next) {
      text = next;
      cancel ??= clock.setTimeout(log, LOGGED_EVERY_MS);
    },
    hide: () => undefined,
    clear() {
      text = undefined;
      cancel?.();
      cancel = undefined;
    },
  };
}
