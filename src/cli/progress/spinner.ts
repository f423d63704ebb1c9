import { toTerminalLine } from '../output/index.js';
import type { Context } from '../system/context.js';
import { widthOf } from './progress-text.js';
import { supportsUnicode } from '../system/locale.js';

const FRAME_MS = 100;
const CLEAR_LINE = '\r\u001b[K';
const UNICODE_FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const ASCII_FRAMES = ['-', '\\', '|', '/'];

/**
 * Draws a line with a moving character until it is stopped.
 *
 * @param text returns the current text.
 */
export function startSpinner(
  context: Pick<Context, 'stderr' | 'clock' | 'env' | 'platform'>,
  text: () => string,
): { hide(): void; stop(): void } {
  const { stderr, clock } = context;
  const frames = supportsUnicode(context) ? UNICODE_FRAMES : ASCII_FRAMES;
  let cancel: (() => void) | undefined;
  let isDrawn = false;

  const hide = (): void => {
    if (isDrawn) stderr.write(CLEAR_LINE);
    isDrawn = false;
  };
  const draw = (count: number): void => {
    // A line that wraps can't be rewritten. One column stays free, because some terminals wrap at the last one.
    const width = widthOf(stderr) - 1;
    const line = `${frames[count % frames.length] ?? ''} ${toTerminalLine(text())}`;
    stderr.write(CLEAR_LINE + line.slice(0, width));
    isDrawn = true;
    cancel = clock.setTimeout(() => {
      draw(count + 1);
    }, FRAME_MS);
  };
  draw(0);
  return {
    hide,
    stop() {
      cancel?.();
      hide();
    },
  };
}
