import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { html } from '../elements/elements.js';
import { describeDuration, timeOfDay } from '../../../time/duration.js';
import { indexAfterKey, outcomeText } from '../state/request-log.js';
import type { Entry, SeenRequest } from '../state/wire.js';

/** In pixels, as in the style sheet. */
const ROW_HEIGHT = 32;

interface TableProps {
  /** Newest first. */
  requests: readonly SeenRequest[];
  selected: SeenRequest | undefined;
  onSelect(request: SeenRequest): void;
}

/** A list, not empty. Arrow keys select a row. The browser keeps the visible rows where they are while new ones arrive. */
export function RequestTable({ requests, selected, onSelect }: TableProps): VNode {
  const index = selected === undefined ? -1 : requests.findIndex((each) => isSame(each, selected));
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const pageRows = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
    const request = requests[indexAfterKey(event.key, index, { count: requests.length, pageRows }) ?? -1];
    if (request === undefined) return;
    event.preventDefault();
    onSelect(request);
    document.getElementById(idOf(request))?.scrollIntoView({ block: 'nearest' });
  };
  return html`<div class="requests">
    <div class="row head" aria-hidden="true">
      ${['Time', 'Method', 'Path', 'Status', 'Key', 'Note'].map((label) => html`<span key=${label}>${label}</span>`)}
    </div>
    <div
      class="rows"
      role="listbox"
      aria-label="Requests, newest first"
      tabindex="0"
      aria-activedescendant=${index >= 0 && selected !== undefined ? idOf(selected) : undefined}
      onKeyDown=${onKeyDown}
    >
      ${requests.map(
        (request, position) =>
          html`<${Row}
            key=${idOf(request)}
            request=${request}
            isSelected=${position === index}
            onSelect=${onSelect}
          />`,
      )}
    </div>
  </div>`;
}

interface RowProps {
  request: SeenRequest;
  isSelected: boolean;
  onSelect(request: SeenRequest): void;
}

/** Made again only after a change, because the page is drawn several times a second. */
function Row({ request, isSelected, onSelect }: RowProps): VNode {
  return useMemo(() => {
    const { at, method, path, query, tenant } = request.entry;
    const target = query === '' ? path : `${path}?${query}`;
    const note = noteOf(request);
    return html`<div
      id=${idOf(request)}
      role="option"
      class="row"
      aria-selected=${String(isSelected)}
      onClick=${() => onSelect(request)}
    >
      <span>${timeOfDay(Date.parse(at))}</span><span class="method">${method}</span
      ><span class="path" title=${target}>${target}</span><${Status} entry=${request.entry} /><span
        ><span class="hidden">key </span>${tenant ?? 'none'}</span
      ><span class="muted note" title=${note}>${note}</span>
    </div>`;
  }, [request, isSelected]);
}

/** The status, with its colour. */
export function Status({ entry }: { entry: Entry }): VNode {
  const text = outcomeText(entry);
  // For colours: 2, 4 and 5 are the first digits. A request without a response counts as a failure.
  const digit = /^\d/.test(text) ? text.slice(0, 1) : '5';
  return html`<span class=${`status s${digit}`}>${text}</span>`;
}

function noteOf({ entry: { fault, retryAfterSeconds }, delayMs = 0 }: SeenRequest): string {
  return [
    ...(fault === undefined ? [] : [`fault ${fault}`]),
    ...(retryAfterSeconds === undefined
      ? []
      : [`retry after ${describeDuration(retryAfterSeconds * 1_000)}`]),
    ...(delayMs > 0 && fault?.startsWith('latency') !== true ? [`delay ${String(delayMs)} ms`] : []),
  ].join(', ');
}

function idOf({ entry }: SeenRequest): string {
  return `request-${String(entry.sequence)}`;
}

/** The list is loaded again after a reconnection, as other objects. */
export function isSame({ entry: one }: SeenRequest, { entry: other }: SeenRequest): boolean {
  return one.sequence === other.sequence && one.at === other.at;
}
