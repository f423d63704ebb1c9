import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Interruption, type Prompter } from './context.js';
import { EXIT } from '../errors/exit-codes.js';

/** Prompts with plain lines, for terminals that know no escape sequences. */
export function createPlainPrompter(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
): Prompter {
  const ask = async (
    question: string,
    check: (answer: string) => string | true,
    isHidden = false,
  ): Promise<string> => {
    for (;;) {
      output.write(`? ${question}: `);
      const answer = await readLine(input, signal, isHidden).catch((error: unknown) => {
        output.write('\n');
        throw error;
      });
      if (isHidden) output.write('\n');
      const problem = check(answer);
      if (problem === true) return answer;
      output.write(`${problem}\n`);
    }
  };
  return {
    secret: (question, check) => ask(question, check, true),
    text: (question, check) => ask(question, check),
    async choose(question, choices) {
      const lines = choices.map(({ name }, index) => `  ${String(index + 1)}) ${name}\n`);
      output.write(`? ${question}\n${lines.join('')}`);
      // The first choice is the default if it changes nothing.
      const hasDefault = /^no(?:ne)?\b/i.test(choices[0]?.name ?? '');
      const valueOf = (answer: string): string | undefined =>
        choices[Number(answer === '' && hasDefault ? 1 : answer) - 1]?.value;
      const answer = await ask(
        hasDefault ? 'Number (default 1)' : 'Number',
        (text) => valueOf(text) !== undefined || `Type a number from 1 to ${String(choices.length)}.`,
      );
      return valueOf(answer) ?? '';
    },
  };
}

/** Reads a line. The terminal shows the typed text, unless it is hidden. */
function readLine(input: NodeJS.ReadableStream, signal: AbortSignal, isHidden: boolean): Promise<string> {
  const nowhere = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  // As a terminal, readline reads single keys and shows them itself: nowhere.
  const reader = createInterface({ input, signal, terminal: isHidden, ...(isHidden && { output: nowhere }) });
  return new Promise<string>((resolve, reject) => {
    const stop = (): void => {
      reject(signal.aborted ? (signal.reason as Error) : new Interruption(EXIT.interrupted));
    };
    reader.once('line', resolve).once('SIGINT', stop).once('close', stop);
  }).finally(() => {
    reader.close();
  });
}
