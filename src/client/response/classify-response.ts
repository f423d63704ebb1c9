import { parseJson } from '../../schema/json.js';
import { printable } from './printable.js';
import type { TransportResponse } from '../transport/transport.js';

/** One operation: what is sent, and how its answer is read. */
export interface Operation<T> {
  method: string;
  /** Path and query with the base URL's prefix. */
  path: string;
  /** JSON text. */
  body?: string | undefined;
  /** Reads the parsed body of a success; `undefined` where it has the wrong shape. An empty body is `undefined`. */
  read(body: unknown): { data: T } | undefined;
  /** Names what is wrong with a body that `read` did not take. Only called then. */
  explain(body: unknown): Promise<string>;
}

/** What an answer means for the operation. */
export type ResponseClass<T> =
  | { kind: 'done'; data: T }
  /** It can't be understood. `broken`: the connection ended within the body, so another try may do better. */
  | { kind: 'invalid'; why: string | (() => Promise<string>); broken: boolean }
  | { kind: 'redirect'; location: string | undefined }
  /** 429. */
  | { kind: 'limited' }
  /** Any other status that is not a success. */
  | { kind: 'refused' };

/** Reads an answer. Pure, but for the explanation, which is made only when it is asked for. */
export function classifyResponse<T>(answer: TransportResponse, operation: Operation<T>): ResponseClass<T> {
  const { status, headers } = answer;
  if (status === 429) return { kind: 'limited' };
  if (status >= 300 && status < 400 && status !== 304)
    return { kind: 'redirect', location: headers.location };
  if (status < 200 || status >= 300) return { kind: 'refused' };
  if (answer.end === 'too-large')
    return { kind: 'invalid', why: 'its body is larger than allowed', broken: false };
  if (answer.end === 'truncated') return { kind: 'invalid', why: 'its body was cut short', broken: true };
  if (answer.end === 'undecodable') {
    return { kind: 'invalid', why: 'its body is not in the encoding that it names', broken: false };
  }
  let body: unknown;
  try {
    body = parseBody(answer.body);
  } catch {
    return { kind: 'invalid', why: 'its body is not JSON', broken: false };
  }
  const read = operation.read(body);
  if (read !== undefined) return { kind: 'done', data: read.data };
  return { kind: 'invalid', why: () => operation.explain(body), broken: false };
}

/** The parsed body of a refusal; `undefined` where there is none that can be read. */
export function parseErrorBody(answer: TransportResponse): unknown {
  if (answer.end !== 'complete') return undefined;
  try {
    return parseBody(answer.body);
  } catch {
    return undefined;
  }
}

/** The body as text, as much of it as came. */
function decodeText(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

const EXCERPT_MAX = 200;
/** As much as is looked at, for a body that is mostly blank. */
const EXCERPT_INPUT_MAX = 4 * EXCERPT_MAX;

/**
 * The beginning of a body on one line, with everything that could drive a terminal made visible.
 *
 * @param redact takes out of the text what must not be shown, before it is cut: half a key is a leak as well.
 */
export function bodyExcerpt(body: Uint8Array, redact: (text: string) => string): string {
  const text = redact(decodeText(body)).trimStart().slice(0, EXCERPT_INPUT_MAX).replace(/\s+/g, ' ').trim();
  return printable(text, EXCERPT_MAX);
}

function parseBody(body: Uint8Array): unknown {
  return body.byteLength === 0 ? undefined : parseJson(decodeText(body));
}
