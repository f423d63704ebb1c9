import { render } from 'preact';
import { createApi } from './state/api.js';
import { App } from './app.js';
import { html } from './elements/elements.js';
import { createStore } from './state/store.js';

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

const store = createStore({
  api: createApi((...parameters) => fetch(...parameters)),
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

document.querySelector('noscript')?.remove();
setInterval(draw, TICK_MS);
draw();
