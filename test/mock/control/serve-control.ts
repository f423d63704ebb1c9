import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createMock, type Mock, type MockOptions, type MockServer } from '../../../src/mock/index.js';
import { frozenClock } from '../send-request.js';

/** A mock that is reset before each test. */
export interface ServedControl {
  mock: Mock;
  /** The URL of its server. */
  url(): string;
  /** Sends a request to the control API. A body of another type than text is sent as JSON. */
  control(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
}

/** Starts a server of a mock, with the key `sekret` by default, for the tests of a file. */
export function serveControl(options: MockOptions = { keys: ['sekret'] }): ServedControl {
  const mock = createMock({ clock: frozenClock, ...options });
  let server: MockServer;

  beforeAll(async () => {
    server = await mock.listen();
  });
  beforeEach(() => mock.reset());
  afterAll(() => server.close());

  return {
    mock,
    url: () => server.url,
    async control(method, path, body) {
      const response = await fetch(`${server.url}/__mock${path}`, {
        method,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: response.status, json: await response.json() };
    },
  };
}
