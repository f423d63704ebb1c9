import { describe, expect, test } from 'vitest';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import { TransportFailure, type TransportRequest } from '../../../src/client/transport/transport.js';
import { rejection } from '../../support/stores.js';
import { describeTransport } from '../../support/transport-contract.js';
import { undiciFetch } from '../../support/undici-fetch.js';

const REQUEST: TransportRequest = {
  method: 'GET',
  origin: 'http://mock.test',
  path: '/v1/pets',
  headers: {},
  bodyMaxBytes: 1_000,
};

describe('fetchTransport', () => {
  describeTransport(() => fetchTransport(undiciFetch));

  test.each([
    [{ code: 'ECONNREFUSED', syscall: 'connect' }, false],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, false],
    [{ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, false],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, false],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }, false],
    [{ code: 'EHOSTUNREACH', syscall: 'read' }, true],
    [{ code: 'ENETUNREACH', syscall: 'write' }, true],
    [{ code: 'ECONNRESET', syscall: 'read' }, true],
    [{ code: 'UND_ERR_SOCKET' }, true],
    // The causes of Deno 2.9 have no codes.
    [{ message: 'error sending request for url (http://h/): client error (Connect): dns error' }, false],
    [{ message: 'error sending request from h for http://h/: client error (SendRequest): closed' }, true],
    [{}, true],
  ])('after the failure %j, sent is %s', async (fields, sent) => {
    const cause = Object.assign(new Error('broken'), fields);
    const exchange = fetchTransport(() => Promise.reject(new TypeError('fetch failed', { cause }))).send(
      REQUEST,
    );
    expect(await rejection(exchange.response)).toBeInstanceOf(TransportFailure);
    expect(exchange.sent).toBe(sent);
  });

  test('rejects with a TransportFailure for a synchronous error without a code', async () => {
    const throwing = fetchTransport(() => {
      throw new Error('synchronous');
    });
    const failure = await rejection(throwing.send(REQUEST).response);
    expect(failure).toBeInstanceOf(TransportFailure);
    expect(failure).toMatchObject({ message: 'synchronous' });
  });

  test.each([
    ['no body', {}, { method: 'GET' }],
    ['a body', { method: 'POST', body: '{}' }, { method: 'POST', body: '{}' }],
  ])('passes an init that can be copied and read, with %s', async (_, change, expected) => {
    const seen: unknown[] = [];
    const transport = fetchTransport((_url, init) => {
      seen.push({ ...init });
      return Promise.resolve(new Response('[]'));
    });
    await transport.send({ ...REQUEST, ...change }).response;
    expect(seen).toMatchObject([expected]);
  });

  test('accepts a response without a body stream', async () => {
    const transport = fetchTransport(() => Promise.resolve(new Response(null, { status: 204 })));
    expect(await transport.send(REQUEST).response).toMatchObject({ status: 204, end: 'complete' });
  });
});

describe('a TypeError', () => {
  const failureOf = (message: string): Promise<unknown> =>
    rejection(fetchTransport(() => Promise.reject(new TypeError(message))).send(REQUEST).response);

  test.each([
    "Cannot read properties of undefined (reading 'connection')",
    "Cannot read properties of undefined (reading 'network')",
    'network.send is not a function',
    'isTerminated is not a function',
  ])('with the message %s is a bug of the function', async (message) => {
    expect(await failureOf(message)).toMatchObject({ type: 'configuration', option: 'fetch' });
  });

  test.each([
    'fetch failed',
    'Failed to fetch',
    'Load failed',
    'NetworkError when attempting to fetch resource.',
    'Network request failed',
    'The network connection was lost.',
    'The Internet connection appears to be offline.',
    'error sending request for url (http://mock.test/v1/pets)',
    'terminated',
  ])('with the message %s is a failure of the network', async (message) => {
    expect(await failureOf(message)).toBeInstanceOf(TransportFailure);
  });
});
