import type { Transport, TransportRequest, TransportResponse } from '../../../client/index.js';

/** A transport to a mock in this process, and the key that it accepts. */
export interface MockRoute {
  transport: Transport;
  apiKey: string;
}

/** Creates the transport of `--mock`, to a new mock with the default pets. */
export async function createMockTransport(): Promise<MockRoute> {
  const { createMock } = await import('../../../mock/index.js');
  const mock = createMock();
  const send = async ({ method, path, headers, body }: TransportRequest): Promise<TransportResponse> => {
    const outcome = mock.handle({
      method,
      url: path,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (outcome.kind !== 'response')
      throw new Error(`The embedded mock returned no whole response: ${outcome.kind}`);
    const { response } = outcome;
    return {
      status: response.status,
      headers: response.headers,
      body: new TextEncoder().encode(response.body),
      end: 'complete',
    };
  };
  return {
    apiKey: mock.keys[0] ?? '',
    transport: {
      send: (request) => ({ response: send(request), sent: true, abort: () => undefined }),
      close: () => Promise.resolve(),
    },
  };
}
