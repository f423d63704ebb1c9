import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock } from 'petstore/mock';
import { countSold } from './job.mjs';

function options(mock) {
  return { apiKey: mock.keys[0], baseUrl: 'https://mock.test/v1', fetch: mock.fetch, clock: mock.clock };
}

test('counts', async () => {
  const lines = [];
  assert.equal(await countSold(options(createMock()), (line) => lines.push(line)), 0);
  assert.match(lines[0], /^\d+ sold$/);
});

test('ends with 75 if the service asks for a wait that is too long', async () => {
  const lines = [];
  const mock = createMock({ faults: ['rate-limit:seconds=600'] });
  assert.equal(await countSold(options(mock), (line) => lines.push(line)), 75);
  assert.match(lines[0], /used up; try again \d{4}-/);
});
