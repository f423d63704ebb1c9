import { describe } from 'vitest';
import { undiciTransport } from '../../../src/client/transport/undici.js';
import { describeTransport } from '../../support/transport-contract.js';

describe('undiciTransport', () => {
  describeTransport(() => undiciTransport());
});
