import type { VNode } from 'preact';
import { copyText, html } from '../elements/elements.js';
import type { PageStore } from '../state/page-store.js';

/** The key of a mock without `--key`. The control API shows fingerprints only. */
const DEFAULT_KEY = { key: 'mock-key', fingerprint: '14b2256a' };

const REQUESTS = [
  { label: 'List pets', path: '/pets' },
  { label: 'Create a pet', path: '/pets', body: '{"name":"Rex","categoryId":1}' },
  { label: 'Read a missing pet', path: '/pets/404' },
  { label: 'List pets without a key', path: '/pets', isWithoutKey: true },
];

/** How to make a first request: in a terminal, or with a button. */
export function FirstRequest({ store }: { store: PageStore }): VNode {
  const hasDefaultKey = store.model.state?.tenants[0]?.fingerprint === DEFAULT_KEY.fingerprint;
  const commands = [
    `export PETSTORE_BASE_URL=${location.origin}/v1 PETSTORE_API_KEY=${hasDefaultKey ? DEFAULT_KEY.key : 'KEY'}`,
    'curl -H "Authorization: Bearer $PETSTORE_API_KEY" "$PETSTORE_BASE_URL/pets"',
  ].join('\n');
  return html`<div class="first">
    <h3>Requests appear here as they arrive</h3>
    <p>Send one in a terminal:</p>
    <pre tabindex="0" role="region" aria-label="Commands">${commands}</pre>
    ${!hasDefaultKey && html`<p class="muted">KEY is a key that the mock printed at its start.</p>`}
    <button type="button" onClick=${() => void copyText(store, commands, 'Commands copied.')}>
      Copy commands
    </button>
    <p>Or send one from this page:</p>
    <div class="buttons">
      ${REQUESTS.filter(({ isWithoutKey }) => hasDefaultKey || isWithoutKey).map(
        (request) =>
          html`<button key=${request.label} type="button" onClick=${() => void send(request)}>
            ${request.label}
          </button>`,
      )}
    </div>
  </div>`;
}

async function send({ path, body, isWithoutKey }: (typeof REQUESTS)[number]): Promise<void> {
  try {
    await fetch(`/v1${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: {
        ...(isWithoutKey === true ? {} : { authorization: `Bearer ${DEFAULT_KEY.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    });
  } catch {
    // The list shows what a fault did, and the header that the mock has stopped.
  }
}
