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
 * @throws UsageError if it can't be read, is longer than 16 MiB, or is no text in UTF-8.
 */
export async function readInput(file: string, context: Context, stdinWord = '-') {
  if (file === '-') {
    if (context.stdin.isTTY) {
      throw new UsageError(
        'No input: stdin is a terminal',
        'Pipe the data in, or pass a file instead of "-".',
      );
    }
    const bytes = await readChunks(context.stdin.read(context.signal), 'stdin');
    return { text: await decode(bytes, 'stdin'), source: 'stdin' };
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
    const bytes = isPipe ? await readPipe(path, file, signal) : await readFile(path, { signal });
    return { text: await decode(bytes, file), source: file };
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
async function readPipe(path: string, file: string, signal: AbortSignal): Promise<Uint8Array> {
  const { constants, openSync } = await import('node:fs');
  const { Socket } = await import('node:net');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: true, writable: false, signal });
  return readChunks(pipe, file);
}

/** Joins chunks up to the maximum size. A pipe may have no end. */
async function readChunks(chunks: AsyncIterable<Uint8Array>, source: string): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > INPUT_BYTES_MAX) throw tooLong(source);
    read.push(chunk);
  }
  return Buffer.concat(read);
}

/**
 * Decodes UTF-8, without a byte order mark. Replacing an invalid byte would change a name.
 *
 * @throws UsageError that names the kind of file, if it is known.
 */
async function decode(bytes: Uint8Array, source: string): Promise<string> {
  const text = decodeUtf8(bytes);
  // Each such file has a byte that is no UTF-8, or 0.
  if (text?.includes('\0') === false) return text;
  const { recognizeBytes } = await import('../../../bulk/internal.js');
  const foreign = recognizeBytes(bytes);
  const hint = foreign?.isEncodedText === true ? foreign.hint : 'Pass text in UTF-8.';
  if (foreign !== undefined) throw new UsageError(`${source} is ${foreign.name}`, hint);
  if (text === undefined) throw new UsageError(`${source} is not UTF-8`, hint);
  return text;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function tooLong(source: string): UsageError {
  return new UsageError(
    `${source} is longer than 16 MiB`,
    'Pass a smaller input. To create many pets, run "petstore pets import FILE".',
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
