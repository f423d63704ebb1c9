// A server on loopback that responds as a probe says.
import http from 'node:http';

/**
 * @typedef {object} Seen a received request.
 * @property {number} index 0 for the first request.
 * @property {string} method
 * @property {http.IncomingHttpHeaders} headers
 * @property {string} body
 * @property {number} atMs when the whole request was read, in the time of the probe.
 */

/**
 * Starts a server.
 *
 * @param {{ now: () => number, elapsedMs: () => number }} time the time of the probe, also for the header `Date`.
 * @param {(seen: Seen, response: http.ServerResponse) => void} respond
 */
export async function startServer(time, respond) {
  const requests = [];
  const stalled = new Set();
  const sockets = new Set();
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const chunks = [];
    incoming.on('error', () => {}).on('data', (chunk) => chunks.push(chunk));
    response.on('error', () => {});
    incoming.on('end', () => {
      const { method, headers } = incoming;
      const body = Buffer.concat(chunks).toString();
      const seen = { index: requests.length, method, headers, body, atMs: time.elapsedMs() };
      requests.push(seen);
      response.setHeader('date', new Date(time.now()).toUTCString());
      respond(seen, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    /** Number of requests that stay without a complete response. */
    get stalled() {
      return stalled.size;
    },
    /** Leaves a response as it is, until the client closes the connection. */
    stall(response) {
      stalled.add(response);
      response.once('close', () => stalled.delete(response));
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export function sendJson(response, status, body, headers = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const lengths = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...lengths, ...headers }).end(text);
}

/** Sends the error of the service. stripe reads `error`, slack reads `ok`. */
export function sendError(response, status, headers = {}) {
  const error = { type: 'api_error', message: 'Simulated' };
  sendJson(response, status, { code: 'simulated', message: 'Simulated', status, error, ok: false }, headers);
}
