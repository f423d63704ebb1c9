// Copied next to the frameworks, and run there: prints what their visitors get after an unhandled error of the client.
import { once } from 'node:events';
import { createServer } from 'node:http';
import express4 from 'express4';
import express5 from 'express5';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa2 from 'koa2';
import Koa3 from 'koa3';
import { createPetStore } from 'petstore';

/** Starts a server of one framework, whose visitors get the result of a call. Returns its URL. */
const FRAMEWORKS = {
  'Express 4': (handle) =>
    listen(createServer(express4().get('/', (_, response, next) => handle().then(response.json, next)))),
  'Express 5': (handle) =>
    listen(createServer(express5().get('/', async (_, response) => response.json(await handle())))),
  Fastify: (handle) => {
    // The log is text that may be sent elsewhere.
    const server = fastify({ logger: { level: 'trace', stream: process.stderr } });
    server.get('/', handle);
    return server.listen({ host: '127.0.0.1', port: 0 });
  },
  'Koa 2': (handle) => listen(createServer(koa(new Koa2(), handle))),
  'Koa 3': (handle) => listen(createServer(koa(new Koa3(), handle))),
  Hono: (handle) => {
    const app = new Hono().get('/', async (context) => context.json(await handle()));
    const server = createServer(async (_, outgoing) => {
      const response = await app.fetch(new Request('http://pets.test/'));
      outgoing.writeHead(response.status, [...response.headers].flat()).end(await response.text());
    });
    return listen(server);
  },
};

function koa(app, handle) {
  return app.use(async (context) => (context.body = await handle())).callback();
}

async function listen(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

/** The service responds with the status in the key. */
const service = createServer(({ headers: { authorization } }, response) => {
  const status = Number(authorization.split('-')[1]);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': '2',
    'set-cookie': ['session=s3cret; Path=/', 'admin=s3cret'],
    'www-authenticate': 'Bearer token="s3cret"',
    location: 'https://pets.test/?ticket=s3cret',
    'retry-after': '900',
    'x-of-service': 's3cret',
  });
  response.end('{}');
});
const baseUrl = `${await listen(service)}/v1`;

const STATUSES = [200, 201, 302, 400, 401, 403, 404, 408, 429, 500, 503];
const CALLS = {
  GET: (store) => store.pets.list(),
  POST: (store) => store.pets.create({ name: 'Rex', categoryId: 7 }),
};
const results = [];
for (const [framework, start] of Object.entries(FRAMEWORKS)) {
  let handle;
  const url = await start(() => handle());
  for (const [method, call] of Object.entries(CALLS)) {
    for (const status of STATUSES) {
      const retry = { attemptsMax: 1, waitMaxMs: 0 };
      const store = createPetStore({ apiKey: `sk-${status}-${results.length}`, baseUrl, retry });
      let type;
      handle = () =>
        call(store).catch((error) => {
          ({ type } = error);
          throw error;
        });
      const response = await fetch(url, { redirect: 'manual' });
      const visitor = {
        status: response.status,
        headers: [...response.headers],
        body: await response.text(),
      };
      results.push({ framework, method, status, type, visitor });
      await store.close();
    }
  }
}
console.log(JSON.stringify(results));
process.exit();
