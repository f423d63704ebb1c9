import { readReason } from '../../schema/problem.js';
import type { Redactor } from '../../security/redact-secret.js';
import { bodyExcerpt, parseErrorBody, REDACTED_MAX } from './classify-response.js';
import type { ReceivedResponse } from './describe-response.js';
import { redact } from './redaction.js';
import { excerpt } from './response-text.js';

/** Returns the reason of an error response, whatever the shape of its JSON; `undefined` if it has none. */
export function reasonOf(response: ReceivedResponse, redactor: Redactor): string | undefined {
  const reason = readReason(parseErrorBody(response));
  return reason === undefined ? undefined : safeText(reason, redactor);
}

/** Maximum size of a body of plain text that is a reason. A longer one is a page. */
const PLAIN_REASON_BYTES_MAX = 2_048;

/** Returns the reason of an error response with a short body of plain text. */
export function plainReason(response: ReceivedResponse, redactor: Redactor): string | undefined {
  const { body, end, headers } = response;
  if (end !== 'complete' || body.byteLength > PLAIN_REASON_BYTES_MAX) return undefined;
  if (/html|xml|octet-stream/.test(headers['content-type'] ?? '')) return undefined;
  if (parseErrorBody(response) !== undefined) return undefined;
  const text = bodyExcerpt(response, redactor).replace(/[.\s]+$/, '');
  // Not a page, broken JSON, or bytes.
  return text === '' || /^[<[{"]/.test(text) || text.includes('\ufffd') ? undefined : text;
}

/** Maximum length of a message of the service. */
const MESSAGE_LENGTH_MAX = 500;

/** Makes text of the service safe to print. */
export function safeText(text: string, redactor: Redactor): string {
  return excerpt(redact(text.slice(0, REDACTED_MAX), redactor), MESSAGE_LENGTH_MAX);
}
