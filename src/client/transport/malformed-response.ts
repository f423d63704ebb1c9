import { causesOf } from '../../errors.js';

/** Problems whose message does not help, by the code of Node, of undici or of the transport. */
const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['HPE_HEADER_OVERFLOW', 'more than 16 KiB of headers'],
  ['UND_ERR_HEADERS_OVERFLOW', 'more than 16 KiB of headers'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'not valid HTTP (contradictory Content-Length)'],
]);
/** The messages of Node's parser and of undici, around the reason. */
const PARSER_MESSAGE = /^(?:Parse Error: (.+)|Response does not match the HTTP\/1\.1 protocol \((.+)\))$/s;
/** The received bytes do not start like a response of HTTP. */
export const NOT_HTTP = 'not HTTP';
/** The messages of undici and of the node:http transport. */
const UPGRADE_MESSAGE = 'bad upgrade';

/** The service switched to another protocol, and the request did not ask for it. */
export function badUpgrade(): Error {
  return new Error(UPGRADE_MESSAGE);
}

/**
 * Describes why received bytes are not a response, such as `not HTTP` for the banner of an SSH server.
 *
 * @param failure of a transport, before the head of the response was complete.
 * @returns a few words without text of the service; `undefined` if the connection failed.
 */
export function malformedResponse(failure: unknown): string | undefined {
  for (const cause of causesOf(failure)) {
    const { code, name, message } = Object(cause) as Record<string, unknown>;
    if (PROBLEMS.has(code)) return PROBLEMS.get(code);
    if (message === UPGRADE_MESSAGE) return 'a change of the protocol that was not requested';
    if (!String(code).startsWith('HPE_') && name !== 'HTTPParserError') continue;
    const [, ofNode, reason = ofNode] = PARSER_MESSAGE.exec(String(message)) ?? [];
    // The first bytes are not `HTTP/`. The message of the parser also mentions RTSP.
    return reason === undefined || reason.startsWith('Expected HTTP/')
      ? NOT_HTTP
      : `not valid HTTP (${reason})`;
  }
  return undefined;
}
