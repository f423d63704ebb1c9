import type { Entry } from '../state/wire.js';

/** curl sets them itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
]);

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
]);

/**
 * Returns a curl command that repeats a request. The key is the variable `PETSTORE_API_KEY`.
 *
 * @param origin of the mock, such as `http://127.0.0.1:4010`.
 */
export function curlCommand({ method, target, headers, body = '' }: Entry, origin: string): string {
  const lines = [`curl --globoff ${quoted(origin + target)}`];
  if (method === 'HEAD') lines.push('--head');
  else if (method !== (body === '' ? 'GET' : 'POST')) lines.push(`--request ${quoted(method)}`);
  for (const [name, value] of Object.entries(headers)) {
    if (!OWN_HEADERS.has(name)) lines.push(`--header ${headerWord(name, value)}`);
  }
  if (body !== '') {
    // curl would send the content type of a form.
    if (headers['content-type'] === undefined) lines.push("--header 'content-type:'");
    lines.push(`--data-raw ${quoted(body)}`);
  }
  return lines.join(' \\\n  ');
}

function headerWord(name: string, value: string): string {
  // The journal keeps the scheme of a redacted key. Only these known texts are safe in double quotes.
  const [, scheme] = /^((?:bearer |basic )?)\[redacted\]$/i.exec(value) ?? [];
  if (scheme !== undefined && SECRET_HEADERS.has(name)) {
    const variable = /^(?:authorization|x-api-key)$/.test(name) ? 'PETSTORE_API_KEY' : 'SECRET';
    return `"${name}: ${scheme}$${variable}"`;
  }
  return quoted(value === '' ? `${name};` : `${name}: ${value}`);
}

/** Quotes a word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
