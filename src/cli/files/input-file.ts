import { parseJson } from '../../schema/json.js';
import { findJsonError } from '../../schema/json-inspect.js';
import type { Context } from '../system/context.js';
import { resolvePath } from './resolve-path.js';
import { UsageError } from '../errors/usage-error.js';
import { systemErrorCode } from '../errors/why-failed.js';

/** A text that was read, and what to call it in a message. */
export interface Input {
  text: string;
  source: string;
}

/** Reads a file, or stdin up to its end for `-`. */
export async function readInput(file: string, context: Context): Promise<Input> {
  if (file === '-') {
    if (context.stdin.isTTY) {
      throw new UsageError(
        'stdin is a terminal, so there is nothing to read',
        'pipe the data in, or name a file instead of -',
      );
    }
    return { text: withoutMark(await context.stdin.readAll(context.signal)), source: 'stdin' };
  }
  // Loaded here because few commands read a file.
  const { readFile, stat } = await import('node:fs/promises');
  try {
    const path = resolvePath(file, context);
    const isPipe = (await stat(path)).isFIFO();
    if (isPipe && !IS_OF_THE_SHELL.test(path)) throw namedPipe(file);
    const { signal } = context;
    const text = isPipe ? await readPipe(path, signal) : await readFile(path, { encoding: 'utf8', signal });
    return { text: withoutMark(text), source: file };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof UsageError) throw error;
    const code = systemErrorCode(error);
    const message = code === 'ENOENT' ? `there is no file ${file}` : `${file} can't be read (${code})`;
    throw new UsageError(message, 'check the path; - reads stdin', error);
  }
}

/** `<(command)` is a pipe that the shell has opened already, and writes to. */
const IS_OF_THE_SHELL = /^\/(dev|proc)\//;

/**
 * Reads a pipe as it would a connection. A read as of a file holds up a thread, and with it the end of the process, until
 * something comes.
 */
async function readPipe(path: string, signal: AbortSignal): Promise<string> {
  const { constants, openSync } = await import('node:fs');
  const { Socket } = await import('node:net');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: true, writable: false, signal });
  const chunks: Buffer[] = [];
  for await (const chunk of pipe) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Node can't be stopped, not even by ^C, while it opens one that nobody writes to. */
function namedPipe(file: string): UsageError {
  return new UsageError(
    `${file} is a named pipe, which could hold the command up for ever`,
    'pipe the data in, and give - instead',
  );
}

/** Parses JSON that a person wrote: every digit is kept, and a mistake is named by line and column. */
export function parseJsonInput(text: string, source: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const fault = findJsonError(text);
    if (fault === undefined) throw new UsageError(`${source} is not JSON`, undefined, error);
    throw new UsageError(
      `${source}, line ${String(fault.line)}, column ${String(fault.column)} is not JSON: did not expect ${fault.found}`,
      'correct it at that place',
      error,
    );
  }
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
