import type { Transport, TransportRequest, TransportResponse } from '../../../client/internal.js';

/** Creates the transport of `--mock`, to a new mock in this process with the default pets, and the key that it accepts. */
export async function createMockTransport() {
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
  const transport: Transport = {
    send: (request) => ({ response: send(request), sent: true, abort: () => undefined }),
    close: () => Promise.resolve(),
  };
  return { transport, apiKey: mock.keys[0] ?? '' };
}
