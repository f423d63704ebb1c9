import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ListenOptions, Mock, MockServer } from '../../../src/mock/index.js';

export const AUTHORIZATION = 'Bearer mock-key';

/** Starts a server of a mock, until the end of the test. */
export async function serveMock(mock: Mock, options?: ListenOptions): Promise<MockServer> {
  const server = await mock.listen(options);
  onTestFinished(() => server.close());
  return server;
}

/** Lists pets, with a key. */
export function listPets(baseUrl: string): Promise<Response> {
  return fetch(`${baseUrl}/pets`, { headers: { authorization: AUTHORIZATION } });
}

/** Sends a text on a socket and returns everything received until the server closes it. */
export async function sendText(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let received = '';
  for await (const chunk of socket) received += String(chunk);
  return received;
}

/** The text of a GET request with a key. */
export function getText(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\n${headers}\r\n`;
}
