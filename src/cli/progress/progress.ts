import type { Context } from '../system/context.js';
import { widthOf } from './progress-text.js';

/** Returns the progress as text of at most `columns` columns. */
export type ProgressText = (columns: number) => string;

/** A line on stderr that shows the progress of long work. */
export interface Progress {
  /** Shows a text, and calls `text` again for each update. */
  show(text: ProgressText): void;
  /** Removes the line until the next update, so that other text can be written. */
  hide(): void;
  /** Removes the line and stops its updates. */
  clear(): void;
}

/** The shortest time between two updates. */
const DRAWN_EVERY_MS = 100;
/** Redraws texts that change with time, such as a countdown. */
const TICK_MS = 1_000;
/** A line that wraps can't be rewritten. This leaves room for the `^C` that terminals echo. */
const RIGHT_MARGIN = 3;
const CLEAR_LINE = '\r\u001b[K';

/** Creates a progress line, rewritten in place. Nothing is shown with `quiet`, or if stderr is not a terminal. */
export function createProgress(context: Pick<Context, 'stderr' | 'clock'>, quiet: boolean): Progress {
  if (!quiet && context.stderr.isTTY) return createDrawnLine(context);
  return { show: () => undefined, hide: () => undefined, clear: () => undefined };
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
    const line = text(Math.max(1, widthOf(stderr) - RIGHT_MARGIN));
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
