import { render } from 'preact';
import { parseJson, stringifyJson } from '../../schema/json.js';
import { api } from './state/api.js';
import { App } from './app.js';
import { html } from './elements/elements.js';
import { createPageStore, type KeptPage } from './state/page-store.js';

/** The clock and the bars move this often, in milliseconds. */
const TICK_MS = 250;

let isDrawDue = false;
const draw = (): void => {
  if (isDrawDue) return;
  isDrawDue = true;
  requestAnimationFrame(() => {
    isDrawDue = false;
    render(html`<${App} store=${store} pageNow=${performance.now()} />`, document.body);
  });
};

const kept = sessionStorage.getItem('page');
// It can use up the space of the session.
sessionStorage.removeItem('page');
const store = createPageStore({
  kept: kept === null ? undefined : (parseJson(kept) as KeptPage),
  api,
  now: () => performance.now(),
  setTimeout: (callback, delayMs) => void setTimeout(callback, delayMs),
  draw,
});

const events = new EventSource('/__mock/events');
events.addEventListener('open', () => store.setConnection('open'));
events.addEventListener('error', () => {
  // The browser tries again by itself.
  store.setConnection('closed');
});
events.addEventListener('request', ({ data }: MessageEvent<string>) => store.receiveRequest(data));
events.addEventListener('state', ({ data }: MessageEvent<string>) => store.receiveState(data));

addEventListener('pagehide', () => {
  const { state, tenant, log } = store.model;
  if (state === undefined) return;
  const { instance } = state;
  for (let count = log.all.length; count > 0; count = Math.floor(count / 2)) {
    try {
      sessionStorage.setItem('page', stringifyJson({ instance, tenant, requests: log.all.slice(-count) }));
      return;
    } catch {
      // Larger than the browser stores, which is 5 million characters.
    }
  }
});

document.querySelector('noscript')?.remove();
setInterval(draw, TICK_MS);
draw();
