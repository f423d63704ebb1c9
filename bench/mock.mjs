// The mock service over HTTP, compared with a minimal service: lists of 20 pets, 32 requests at a time.
import { Pool } from 'undici';
import { compare, startServer, throughput } from './measure.mjs';

const WIDTH = 32;
const LOAD = { count: 5_000, width: WIDTH };
const headers = { authorization: 'Bearer bench' };

const services = await Promise.all(['http', 'mock'].map((kind) => startServer('server.mjs', kind)));
const [raw, mock] = services.map((service) => {
  const { origin, pathname } = new URL(`${service.baseUrl}/pets`);
  const pool = new Pool(origin, { connections: WIDTH });
  const request = async () => {
    const { statusCode, body } = await pool.request({ method: 'GET', path: `${pathname}?limit=20`, headers });
    if (statusCode !== 200) throw new Error(`${origin} responded ${statusCode}`);
    await body.dump();
  };
  return { service, pool, request };
});

const rate = ({ request }) => throughput(request, LOAD);
/** Requests per second of the server's CPU time, without the cost of the client. */
const cpuRate = async ({ service, request }) => {
  const before = await service.cpuMs();
  await throughput(request, LOAD);
  return (LOAD.count * 1000) / ((await service.cpuMs()) - before);
};

const report = (unit, measure, bar) =>
  compare(
    `mock, ${WIDTH} at a time: ${unit}, ratio to raw node:http`,
    [
      { name: 'node:http + JSON.stringify', measure: () => measure(raw) },
      { name: 'petstore/mock', measure: () => measure(mock), bar },
    ],
    { rounds: 15, better: 'more' },
  );
await report('requests/s', rate, 0.8);
await report('requests per CPU second', cpuRate);

for (const { service, pool } of [raw, mock]) {
  await pool.close();
  service.stop();
}
