import type { VNode } from 'preact';
import { parseJson, stringifyJson } from '../../../schema/json.js';
import type { Explanation } from '../../service/explain.js';
import { copyText, html, useLoaded } from '../elements/elements.js';
import type { PageStore } from '../state/page-store.js';
import { timeText } from '../elements/time-text.js';
import type { SeenRequest } from '../state/wire.js';
import { curlCommand } from './curl-command.js';
import { Status } from './request-table.js';

interface DetailProps {
  store: PageStore;
  request: SeenRequest;
  onClose(): void;
}

/** Timing, reason, headers and bodies of a request. */
export function RequestDetail({ store, request, onClose }: DetailProps): VNode {
  const { entry, response } = request;
  const { method, target } = entry;
  const copy = (): void => void copyText(store, curlCommand(entry, location.origin), 'curl command copied.');
  return html`<article class="detail" aria-labelledby="detail-title">
    <div class="panel-head">
      <h3 id="detail-title"><span class="method">${method}</span> <span class="target">${target}</span></h3>
      <${Status} entry=${entry} />
    </div>
    <div class="buttons">
      <button type="button" onClick=${copy}>Copy as curl</button>
      <button type="button" onClick=${onClose}>Close</button>
    </div>
    <${Timing} request=${request} />
    <${Reason} store=${store} sequence=${entry.sequence} />
    <h4>Request headers</h4>
    <${Headers} headers=${entry.headers} />
    <${Body} title="Request body" body=${entry.body} />
    <p class="muted">${withoutResponse(request)}</p>
    ${
      response !== undefined &&
      html`<h4>Response headers</h4>
        <${Headers} headers=${response.headers} />
        <${Body} title="Response body" body=${response.body} />`
    }
  </article>`;
}

function Timing({ request: { entry, delayMs } }: { request: SeenRequest }): VNode {
  const { at, tenant, fault, retryAfterSeconds, sequence } = entry;
  const rows = [
    ['Received', timeText(at) + at.slice(19, 23)],
    ['Delay', delayMs === undefined ? undefined : `${String(delayMs)} ms`],
    ['Key', tenant === undefined ? 'no valid key' : String(tenant)],
    ['Fault', fault],
    ['Retry-After', retryAfterSeconds === undefined ? undefined : `${String(retryAfterSeconds)} s`],
    ['Number', String(sequence)],
  ].filter(([, value]) => value !== undefined);
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<div key=${name}>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The arithmetic behind the response. The page keeps more requests than the journal of the mock, which explains them. */
function Reason({ store, sequence }: { store: PageStore; sequence: number }): VNode | false {
  const explanation = useLoaded(store, `/explain?entry=${String(sequence)}`, 0, true) as
    Explanation | null | undefined;
  if (explanation === undefined) return false;
  if (explanation === null)
    return html`<p class="muted">No explanation: the journal of the mock no longer has this request.</p>`;
  return html`<div class=${explanation.limits === undefined ? 'reason' : 'reason warning'}>
    <h4>Why</h4>
    ${explanation.text.map((sentence) => html`<p key=${sentence}>${withLocalTimes(sentence)}</p>`)}
  </div>`;
}

function withLocalTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => timeText(time));
}

function Headers({ headers }: { headers: Readonly<Record<string, string>> }): VNode {
  return html`<dl class="headers">
    ${Object.entries(headers).map(
      ([name, value]) =>
        html`<div key=${name}>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function Body({ title, body = '' }: { title: string; body: string | undefined }): VNode | false {
  if (body === '') return false;
  return html`<h4>${title}</h4>
    <pre tabindex="0" role="region" aria-label=${title}>${readable(body)}</pre>`;
}

/** Indents JSON, and leaves other text as it is. */
function readable(body: string): string {
  try {
    return stringifyJson(parseJson(body), 2);
  } catch {
    return body;
  }
}

function withoutResponse({ entry: { status, aborted }, response }: SeenRequest): string | false {
  if (aborted === true && status !== undefined)
    return `The connection closed before the response (${String(status)}) was sent.`;
  if (status === undefined) return 'The connection closed without a response.';
  return (
    response === undefined &&
    'The request came while this page was closed, so its response is not known here.'
  );
}
