// Starts the mock once for all tests. A server of your own would get its address as PETSTORE_BASE_URL.
import { createServer } from 'node:net';
import { defineConfig } from '@playwright/test';

process.env.MOCK_URL ??= `http://127.0.0.1:${await freePort()}`;

export default defineConfig({
  use: { baseURL: process.env.MOCK_URL },
  webServer: {
    command: `npx petstore mock --key test-key --port ${new URL(process.env.MOCK_URL).port}`,
    url: `${process.env.MOCK_URL}/openapi.json`,
  },
});

function freePort() {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    }),
  );
}
