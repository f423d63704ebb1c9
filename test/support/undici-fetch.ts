import { Agent, fetch } from 'undici';

const dispatcher = new Agent();

/**
 * The `fetch` of the package undici, with connections of its own. The parser of the built-in `fetch` differs between
 * releases of Node.js. Both use the same global dispatcher: that of the first one in the process.
 */
export const undiciFetch = ((input: string, init?: object) =>
  fetch(input, { ...init, dispatcher })) as unknown as typeof globalThis.fetch;
