import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createPetStore } from 'petstore';
import { createMock } from 'petstore/mock';
import { traceCalls } from './trace.mjs';

test('a retried call is one span with the number of resends', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const mock = createMock({ faults: ['status:status=503,times=1'] });
  const store = createPetStore({
    apiKey: mock.keys[0],
    baseUrl: 'https://mock.test/v1',
    fetch: mock.fetch,
    retry: { baseDelayMs: 0 },
    onEvent: traceCalls(provider.getTracer('test')),
  });
  await store.pets.list();
  const [span] = exporter.getFinishedSpans();
  assert.equal(span.name, 'listPets');
  assert.equal(span.attributes['http.request.resend_count'], 1);
  assert.equal(span.attributes['http.response.status_code'], 200);
});
