import { parseJson } from '../../../schema/json.js';
import { findJsonError } from '../../../schema/json-inspect.js';
import type { Context } from '../context.js';
import { resolvePath } from './resolve-path.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorCode, systemErrorReason } from '../../../security/system-error.js';

/** Maximum size of an input in memory: 16 MiB. */
const INPUT_BYTES_MAX = 1 << 24;

/**
 * Reads a file, or stdin to its end for `-`.
 *
 * @param stdinWord how the user names stdin here; empty if the help does not mention it.
 * @returns the text, and the name of its source for messages.
 * @throws UsageError if it can't be read, or is longer than 16 MiB.
 */
export async function readInput(file: string, context: Context, stdinWord = '-') {
  if (file === '-') {
    if (context.stdin.isTTY) {
      throw new UsageError(
        'No input: stdin is a terminal',
        'Pipe the data in, or pass a file instead of "-".',
      );
    }
    const text = await readChunks(context.stdin.read(context.signal), 'stdin');
    return { text: withoutByteOrderMark(text), source: 'stdin' };
  }
  // Loaded here because few commands read a file.
  const { readFile, stat } = await import('node:fs/promises');
  try {
    const path = resolvePath(file, context);
    const stats = await stat(path);
    const isPipe = stats.isFIFO();
    const { signal } = context;
    if (stats.size > INPUT_BYTES_MAX) throw tooLong(file);
    // A device such as /dev/zero has no end.
    if (stats.isCharacterDevice())
      throw new UsageError(`${file} is a device`, 'Pipe the data in and use "-" instead.');
    const text = isPipe
      ? await readPipe(path, file, signal)
      : await readFile(path, { encoding: 'utf8', signal });
    return { text: withoutByteOrderMark(text), source: file };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof UsageError) throw error;
    const code = systemErrorCode(error);
    const message =
      code === 'ENOENT' ? `File ${file} not found` : `${file} can't be read (${systemErrorReason(error)})`;
    const stdin = stdinWord === '' ? '' : ` Use "${stdinWord}" to read stdin.`;
    throw new UsageError(message, `Check the path.${stdin}`, error);
  }
}

/** Reads a pipe as a socket. Reading it as a file would block a thread, and thus the exit of the process, until data comes. */
async function readPipe(path: string, file: string, signal: AbortSignal): Promise<string> {
  const { constants, openSync } = await import('node:fs');
  const { Socket } = await import('node:net');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: true, writable: false, signal });
  return readChunks(pipe, file);
}

/** Joins chunks up to the maximum size. A pipe may have no end. */
async function readChunks(chunks: AsyncIterable<Uint8Array>, source: string): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > INPUT_BYTES_MAX) throw tooLong(source);
    read.push(chunk);
  }
  return Buffer.concat(read).toString('utf8');
}

function tooLong(source: string): UsageError {
  return new UsageError(
    `${source} is longer than 16 MiB`,
    'Pass a smaller input. To create many pets, use petstore pets import.',
  );
}

/**
 * Parses JSON of the user without losing digits of large integers.
 *
 * @param hint replaces the general hint.
 * @throws UsageError with line and column.
 */
export function parseJsonInput(text: string, source: string, hint?: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (text.trim() === '')
      throw new UsageError(`${source} is empty`, hint ?? 'It must contain JSON.', error);
    const problem = findJsonError(text);
    if (problem === undefined) throw new UsageError(`${source} is not JSON`, undefined, error);
    throw new UsageError(
      `${source}, line ${String(problem.line)}, column ${String(problem.column)} is not JSON: found ${problem.found}`,
      hint ?? 'Fix the JSON at this position.',
      error,
    );
  }
}

function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
