import type { Notes, Session } from './session.js';
import { annotation, wantsAnnotations } from '../settings/config/annotation.js';
import { toTerminalLine, wrapForTerminal } from '../output/index.js';

const WARNING_LABEL = 'warning:';

/** Writes notes and warnings to stderr. */
export function createNotes(
  { context, global: { quiet } }: Pick<Session, 'context' | 'global'>,
  isColored: () => boolean,
  isForPerson: () => boolean,
): Notes {
  const { stderr } = context;
  const warned = new Set<string>();
  const print = (text: string, label = '', style = ''): void => {
    if (quiet) return;
    const line = wrapForTerminal(toTerminalLine(label === '' ? text : `${label} ${text}`), context);
    const isPlain = label === '' || !isColored();
    stderr.write(isPlain ? `${line}\n` : `\u001b[${style}m${label}\u001b[0m${line.slice(label.length)}\n`);
  };
  return {
    note(text) {
      print(text);
    },
    confirm(sentence, isOnlyResult = false) {
      const isShown = isForPerson();
      if (isShown || isOnlyResult) print(sentence, isShown || stderr.isTTY ? '✓' : '', '32');
    },
    warn(text, { annotate = true, print: isPrinted = true } = {}) {
      if (warned.has(text)) return;
      warned.add(text);
      if (isPrinted) print(text, WARNING_LABEL, '1;33');
      if (annotate && !quiet && wantsAnnotations(context))
        stderr.write(annotation('warning', 'petstore', toTerminalLine(text)));
    },
  };
}
