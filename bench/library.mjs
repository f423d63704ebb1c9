// Lists of 20 pets with the library, over keep-alive connections, against a server process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPetStore, fileGate, memoryGate } from 'petstore';
import { Pool, request } from 'undici';
import { compare, startServer, throughput } from './measure.mjs';
import { installPeers } from './peers/install.mjs';

const WIDTH = 32;
const NODE_MAJOR = Number(process.versions.node.split('.')[0]);
const LOAD = { count: 5_000, width: WIDTH };
/** As long as usual: the client searches responses for its key, and for a short one in a simpler way. */
const apiKey = 'bench-4f9a8b7c6d5e4f3a2b1c';
/** Of the client's requests, so that all send the same. */
const headers = {
  accept: 'application/json',
  'accept-encoding': 'gzip, deflate, br',
  authorization: `Bearer ${apiKey}`,
  'user-agent': 'petstore/1.0.0',
};

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

const GATE_LOAD = { count: 3_000, width: 16 };
const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
const gates = { memory: memoryGate(), file: fileGate({ directory: folder }) };
const gated = Object.entries(gates).map(([name, gate]) => ({
  name: `${name} gate`,
  store: createPetStore({ apiKey, baseUrl: server.baseUrl, gate }),
}));
await compare(
  `library, ${GATE_LOAD.width} at a time: requests/s, ratio to the memory gate`,
  gated.map(({ name, store }, index) => ({
    name,
    measure: () => throughput(() => store.pets.list({ limit: 20 }), GATE_LOAD),
    bar: index === 0 ? undefined : 0.5,
  })),
  { rounds: 15, better: 'more' },
);
for (const { store } of gated) await store.close();
rmSync(folder, { recursive: true });

/** Other clients: the built-in fetch, and packages. Each sends less often, because most are slower. */
const PEER_LOAD = { count: 2_000, width: WIDTH };
const PEERS = {
  fetch: () => fetch(url, { headers }).then((response) => response.json()),
  axios: ({ default: axios }) => axios.get(url, { headers }),
  got: ({ default: got }) => got(url, { headers }).json(),
  ky: ({ default: ky }) => ky(url, { headers }).json(),
  'openapi-fetch': ({ default: createClient }) =>
    createClient({ baseUrl: server.baseUrl, headers }).GET('/pets', { params: { query: { limit: 20 } } }),
};
/** From Node 22 the built-in fetch, with which most of them send, is twice as fast. */
const hasPeerBar = NODE_MAJOR < 22;
const { versions, load } = await installPeers('library');
for (const [name, list] of Object.entries(PEERS)) {
  const builtIn = name === 'fetch';
  const peer = builtIn ? {} : await load(name);
  const label = builtIn ? 'fetch' : `${name} ${versions[name]}`;
  await compare(
    `library, ${WIDTH} at a time: requests/s, ratio to ${name}`,
    [
      { name: label, measure: () => throughput(() => list(peer), PEER_LOAD) },
      {
        name: 'petstore pets.list',
        measure: () => throughput(petStoreList, PEER_LOAD),
        bar: builtIn || !hasPeerBar ? undefined : 3,
      },
    ],
    { rounds: 5, better: 'more' },
  );
}

await store.close();
await pool.close();
server.stop();
