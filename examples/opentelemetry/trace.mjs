// One span for each call, made from the client's events. Names follow the conventions for HTTP clients.
import { SpanStatusCode, trace } from '@opentelemetry/api';

/**
 * Returns the option `onEvent` for `createPetStore`.
 *
 * @param tracer default: the tracer of the global provider.
 */
export function traceCalls(tracer = trace.getTracer('petstore')) {
  const spans = new Map();
  return (event) => {
    if (event.type === 'call-start') spans.set(event.call, tracer.startSpan(event.operation));
    const span = spans.get(event.call);
    if (span === undefined) return;
    if (event.type === 'request') {
      span.setAttributes({ 'http.request.method': event.method, 'url.full': event.url });
      if (event.attempt > 1) span.setAttribute('http.request.resend_count', event.attempt - 1);
    }
    if (event.type === 'response') span.setAttribute('http.response.status_code', event.status);
    if (event.type === 'wait')
      span.addEvent('wait', { reason: event.reason, 'delay.ms': event.delayMs ?? -1 });
    if (event.type !== 'call-end') return;
    if (event.errorType !== undefined) {
      span.setAttribute('error.type', event.errorType);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
    spans.delete(event.call);
  };
}
