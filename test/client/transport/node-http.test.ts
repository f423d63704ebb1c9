import { describe } from 'vitest';
import { nodeHttpTransport } from '../../../src/client/transport/node-http.js';
import { describeTransport } from '../../support/transport-contract.js';

describe('the transport over node-http', () => {
  describeTransport(() => nodeHttpTransport());
});
