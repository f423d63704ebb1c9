import { type Context, variable } from '../system/context.js';
import { wantsAnnotations } from './annotation.js';

/** Shows on stderr what a command waits for, so that a slow service does not look like a hang. */
export interface Waiting {
  /**
   * Starts a wait. It is shown after half a second, instead of an earlier one.
   *
   * @param text what is waited for, such as `Waiting for https://HOST`.
   * @returns ends the wait.
   */
  start(text: string): () => void;
  /** Removes the line until the next frame, so that other text can be written. */
  hide(): void;
  /** Ends all waits, and shows no other: another line takes over, or the command ends. */
  stop(): void;
}

type WaitingContext = Pick<Context, 'stderr' | 'clock' | 'env' | 'platform'>;

/** Shorter waits end before they can be read. */
const SHOWN_AFTER_MS = 500;

/** Whether a line on stderr can be rewritten, and a person reads it. */
export function canShowWaiting(context: Pick<Context, 'stderr' | 'env'>, quiet: boolean): boolean {
  if (quiet || !context.stderr.isTTY || wantsAnnotations(context)) return false;
  return variable(context, 'CI') === undefined && context.env.TERM !== 'dumb';
}

/** Creates the line of a terminal. The spinner is loaded only for waits that are shown. */
export function createWaiting(context: WaitingContext): Waiting {
  const texts = new Set<{ text: string }>();
  let hasStopped = false;
  let cancelTimer: (() => void) | undefined;
  let spinner: { hide: () => void; stop: () => void } | undefined;

  const show = async (): Promise<void> => {
    const { startSpinner } = await import('./spinner.js');
    if (texts.size > 0) spinner ??= startSpinner(context, () => [...texts].at(-1)?.text ?? '');
  };
  const endIfIdle = (): void => {
    if (texts.size > 0) return;
    cancelTimer?.();
    cancelTimer = undefined;
    spinner?.stop();
    spinner = undefined;
  };

  return {
    start(text) {
      if (hasStopped) return () => undefined;
      const entry = { text };
      texts.add(entry);
      cancelTimer ??= context.clock.setTimeout(() => void show(), SHOWN_AFTER_MS);
      return () => {
        texts.delete(entry);
        endIfIdle();
      };
    },
    hide: () => spinner?.hide(),
    stop() {
      hasStopped = true;
      texts.clear();
      endIfIdle();
    },
  };
}
