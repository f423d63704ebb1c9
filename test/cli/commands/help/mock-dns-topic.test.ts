import { expect, test } from 'vitest';
import { mockDnsTopic } from '../../../../src/cli/commands/help/mock-dns-topic.js';
import { createMock } from '../../../../src/mock/index.js';

test('lists exactly the names that the mock serves, in its order', async () => {
  const mock = createMock();
  const server = await mock.listen({ port: 0, dnsPort: 0 });
  await server.close();
  const listed = [...mockDnsTopic().matchAll(/^ {2}([\w.-]+\.test) +\S/gm)].map((match) => match[1]);
  expect(listed).toEqual(mock.dns?.names.map(({ name }) => name));
});
