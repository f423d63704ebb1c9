import type { ClientEvent, WaitReason } from '../../client/internal.js';
import { toTerminalLine, wrapForTerminal } from '../output/index.js';
import { type Context, variable } from '../system/context.js';
import { wantsAnnotations } from '../settings/config/annotation.js';
import { causeOf, describeWait, type LastEvents } from './line-text.js';

/** Returns the progress as text of at most `columns` columns. */
export type ProgressText = (columns: number) => string;

export type StatusLine = ReturnType<typeof createStatusLine>;

/** Shorter waits end before they can be read. */
const WAIT_SHOWN_AFTER_MS = 500;
const COUNTDOWN_FROM_MS = 1_000;
/** The shortest time between two updates. */
const DRAWN_EVERY_MS = 100;
/** Redraws texts that change with time. */
const TICK_MS = 1_000;
const COLUMNS_DEFAULT = 80;
/** A line that wraps can't be rewritten. This leaves room for the `^C` that terminals echo. */
const RIGHT_MARGIN = 3;
const CLEAR_LINE = '\r\u001b[K';
const FRAMES = ['-', '\\', '|', '/'];

type LineContext = Pick<Context, 'stderr' | 'clock' | 'env'>;

/**
 * Creates the line on stderr that a command rewrites: its progress, otherwise a countdown of the client's wait, otherwise
 * what it waits for. Where no line can be drawn, waits of the client are plain lines.
 *
 * @param quiet whether nothing is shown.
 */
export function createStatusLine(context: LineContext, quiet: boolean) {
  const { stderr, clock } = context;
  const waits = new Set<{ text: string }>();
  const last: LastEvents = {};
  let progress: ProgressText | undefined;
  let countdown: { reason: WaitReason; until: number } | undefined;
  let waitsSince = 0;
  let frame = 0;
  let endRequest: (() => void) | undefined;
  let isMuted = quiet;
  let plainUntil = Number.NEGATIVE_INFINITY;

  const content = (columns: number): Content | undefined => {
    const now = clock.now();
    if (progress !== undefined) return { text: progress(columns), againMs: TICK_MS };
    if (countdown !== undefined && countdown.until > now) {
      const { reason, until } = countdown;
      const text = `${describeWait(reason, last, until, until - now)} Press ^C to stop.`;
      return { text, againMs: Math.min(TICK_MS, until - now) };
    }
    const wait = [...waits].at(-1);
    if (wait === undefined) return undefined;
    const hiddenMs = waitsSince + WAIT_SHOWN_AFTER_MS - now;
    if (hiddenMs > 0) return { text: '', againMs: hiddenMs };
    return {
      text: `${FRAMES[frame++ % FRAMES.length] ?? ''} ${toTerminalLine(wait.text)}`,
      againMs: DRAWN_EVERY_MS,
    };
  };
  const line = !quiet && canDraw(context) ? createDrawnLine(context, content) : undefined;
  const update = (): void => {
    if (progress === undefined && countdown === undefined && waits.size === 0) line?.clear();
    else line?.update();
  };

  /**
   * Starts a wait, so that a slow service does not look like a hang. It is shown after half a second.
   *
   * @param text what is waited for, such as `Waiting for https://HOST`.
   * @param isNotice whether it is a plain line where no line can be drawn.
   * @returns ends the wait.
   */
  const startWait = (text: string, isNotice = false): (() => void) => {
    if (line === undefined) {
      const write = (): void => {
        stderr.write(`${wrapForTerminal(text, context)}\n`);
      };
      return isNotice && !isMuted ? clock.setTimeout(write, WAIT_SHOWN_AFTER_MS) : () => undefined;
    }
    const entry = { text };
    if (waits.size === 0) [waitsSince, frame] = [clock.now(), 0];
    waits.add(entry);
    update();
    return () => {
      if (waits.delete(entry)) update();
    };
  };
  const showRequest = (text: string | undefined): void => {
    endRequest?.();
    endRequest = text === undefined ? undefined : startWait(text);
  };
  const startCountdown = (reason: WaitReason, delayMs: number): void => {
    const until = clock.now() + delayMs;
    countdown = { reason, until };
    update();
    // Requests in flight at the same time wait for the same reset, so it is written once.
    if (line !== undefined || isMuted || until < plainUntil + COUNTDOWN_FROM_MS) return;
    plainUntil = until;
    stderr.write(`${wrapForTerminal(describeWait(reason, last, until, delayMs), context)}\n`);
  };

  return {
    startWait,
    /** Describes why the client waits. */
    causeOf: (reason: WaitReason): string => causeOf(reason, last),
    /** When the current wait of the client ends, in milliseconds since the epoch. Short waits do not count. */
    get waitUntil(): number | undefined {
      return countdown?.until;
    },
    /** Shows the progress of the command, and calls `text` again for each update. */
    show(text: ProgressText): void {
      progress = text;
      update();
    },
    /** Shows the waits of the client. */
    onEvent(event: ClientEvent): void {
      switch (event.type) {
        case 'rate-limit':
          last.rateLimit = event.rateLimit;
          break;
        case 'request':
          countdown = undefined;
          if (line !== undefined) showRequest(`Waiting for ${new URL(event.url).origin}`);
          break;
        case 'wait':
          // During an import, other rows still wait for the reset.
          if (progress === undefined) countdown = undefined;
          showRequest(event.delayMs === undefined ? 'Waiting for another request with this key' : undefined);
          if (event.delayMs !== undefined && event.delayMs >= COUNTDOWN_FROM_MS)
            startCountdown(event.reason, event.delayMs);
          break;
        case 'response':
        case 'failure':
          last.status = event.type === 'response' ? event.status : undefined;
          last.failure = event.type === 'failure' ? event.message : undefined;
          showRequest(undefined);
          break;
        case 'call-end':
          showRequest(undefined);
          break;
        case 'call-start':
      }
    },
    /** Writes no more plain lines. */
    mute(): void {
      isMuted = true;
    },
    /** Removes the line until the next update, so that other text can be written. */
    hide: (): void => line?.hide(),
    /** Removes the line and ends the progress and all waits. */
    clear(): void {
      progress = undefined;
      countdown = undefined;
      waits.clear();
      update();
    },
  };
}

/** Whether a line on stderr can be rewritten, and a person reads it. */
function canDraw(context: Pick<Context, 'stderr' | 'env'>): boolean {
  if (!context.stderr.isTTY || wantsAnnotations(context)) return false;
  return variable(context, 'CI') === undefined && context.env.TERM !== 'dumb';
}

/** What is shown, and when it is drawn again. */
interface Content {
  text: string;
  againMs: number;
}

/** The line on the terminal. */
function createDrawnLine(
  { stderr, clock }: Pick<Context, 'stderr' | 'clock'>,
  content: (columns: number) => Content | undefined,
) {
  let drawn = '';
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: { dueAt: number; cancel: () => void } | undefined;

  const stop = (): void => {
    timer?.cancel();
    timer = undefined;
  };
  const hide = (): void => {
    if (drawn !== '') stderr.write(CLEAR_LINE);
    drawn = '';
  };
  const drawIn = (delayMs: number): void => {
    const dueAt = clock.now() + delayMs;
    if (timer !== undefined && timer.dueAt <= dueAt) return;
    stop();
    timer = { dueAt, cancel: clock.setTimeout(draw, delayMs) };
  };
  function draw(): void {
    stop();
    const columns = Math.max(1, (stderr.columns ?? COLUMNS_DEFAULT) - RIGHT_MARGIN);
    const { text, againMs } = content(columns) ?? { text: '' };
    if (text === '') {
      hide();
    } else {
      drawnAt = clock.now();
      const next = text.slice(0, columns);
      if (next !== drawn) stderr.write(CLEAR_LINE + next);
      drawn = next;
    }
    if (againMs !== undefined) drawIn(againMs);
  }

  return {
    /** Removes the line until it is drawn again. */
    hide,
    /** Draws the line again, at most ten times a second. */
    update(): void {
      const dueMs = drawnAt + DRAWN_EVERY_MS - clock.now();
      if (dueMs <= 0) draw();
      else drawIn(dueMs);
    },
    /** Removes the line and stops its updates. */
    clear(): void {
      stop();
      hide();
    },
  };
}
