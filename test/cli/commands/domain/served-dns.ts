import { createMock } from '../../../../src/mock/index.js';

/** What the mock's names are to point to. */
export const TARGET = 'cname.platform.test';

/** Serves the mock's DNS until disposed. `flags` query it. */
export async function serveDns() {
  const mock = createMock();
  const server = await mock.listen({ port: 0, dnsPort: 0 });
  const port = String(server.dns?.port);
  const flags = ['--resolver', `127.0.0.1:${port}`, '--authoritative-port', port, '--target', TARGET];
  return { mock, flags, [Symbol.asyncDispose]: () => server.close() };
}
