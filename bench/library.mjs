// Lists of 20 pets with the library, over keep-alive connections, 32 at a time, against a server process.
import { createPetStore } from 'petstore';
import { Pool, request } from 'undici';
import { compare, startServer, throughput } from './measure.mjs';

const WIDTH = 32;
const LOAD = { count: 5_000, width: WIDTH };
const apiKey = 'bench';
const headers = { authorization: `Bearer ${apiKey}` };

const server = await startServer('server.mjs', 'raw');
const url = `${server.baseUrl}/pets?limit=20`;
const pool = new Pool(new URL(url).origin, { connections: WIDTH });
const rawRequest = async () => {
  const { body } = await request(url, { headers, dispatcher: pool });
  return JSON.parse(await body.text());
};
const store = createPetStore({ apiKey, baseUrl: server.baseUrl });
const petStoreList = () => store.pets.list({ limit: 20 });

const raw = { name: 'undici.request + JSON.parse', measure: () => throughput(rawRequest, LOAD) };
await compare(
  `library, ${WIDTH} at a time: requests/s, ratio to raw undici`,
  [raw, { name: 'petstore pets.list', measure: () => throughput(petStoreList, LOAD), bar: 0.85 }],
  { rounds: 15, better: 'more' },
);

/** Other clients: the built-in fetch, and packages that are measured only if they are installed. */
const PEERS = {
  fetch: () => fetch(url, { headers }).then((response) => response.json()),
  axios: ({ default: axios }) => axios.get(url, { headers }),
  got: ({ default: got }) => got(url, { headers }).json(),
  ky: ({ default: ky }) => ky(url, { headers }).json(),
  'openapi-fetch': ({ default: createClient }) =>
    createClient({ baseUrl: server.baseUrl, headers }).GET('/pets', { params: { query: { limit: 20 } } }),
};
for (const [name, list] of Object.entries(PEERS)) {
  const builtIn = name === 'fetch';
  const peer = builtIn ? {} : await import(name).catch(() => undefined);
  if (peer === undefined) {
    console.log(`\n${name}: not installed (npm install --no-save ${name})`);
    continue;
  }
  await compare(
    `library, ${WIDTH} at a time: requests/s, ratio to ${name}`,
    [
      { name, measure: () => throughput(() => list(peer), LOAD) },
      {
        name: 'petstore pets.list',
        measure: () => throughput(petStoreList, LOAD),
        bar: builtIn ? undefined : 3,
      },
    ],
    { rounds: 7, better: 'more' },
  );
}

await store.close();
await pool.close();
server.stop();
