import { parseJson } from '../../schema/json.js';
import { REDACTED } from './har.js';

/** Whether two queries have the same parameters. The order counts only within a name. A redacted value matches any. */
export function isSameQuery(recorded: string, sent: string): boolean {
  const [one, other] = [recorded, sent].map((query) =>
    [...new URLSearchParams(query)].sort(([name], [otherName]) =>
      name < otherName ? -1 : Number(name > otherName),
    ),
  );
  return isSameValue(one, other);
}

/** Whether two bodies are the same text or the same JSON value. A redacted value matches any. */
export function isSameBody(recorded: string, sent: string): boolean {
  if (recorded === sent || recorded === REDACTED) return true;
  try {
    return isSameValue(parseJson(recorded), parseJson(sent));
  } catch {
    return false;
  }
}

function isSameValue(recorded: unknown, sent: unknown): boolean {
  if (recorded === REDACTED || recorded === sent) return true;
  if (typeof recorded !== 'object' || typeof sent !== 'object' || recorded === null || sent === null)
    return false;
  if (Array.isArray(recorded) !== Array.isArray(sent)) return false;
  const names = Object.keys(recorded);
  return (
    names.length === Object.keys(sent).length &&
    names.every(
      (name) =>
        Object.hasOwn(sent, name) &&
        isSameValue((recorded as Record<string, unknown>)[name], (sent as Record<string, unknown>)[name]),
    )
  );
}
