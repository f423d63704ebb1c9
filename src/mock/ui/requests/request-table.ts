import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from '../elements/elements.js';
import { describeDuration, timeOfDay } from '../../../time/duration.js';
import { outcomeText } from '../state/request-log.js';
import type { Entry, SeenRequest } from '../state/wire.js';
import { indexAfterKey, rowWindow } from './row-window.js';

/** In pixels, as in the style sheet. */
const ROW_HEIGHT = 32;
/** Before the first measurement. */
const HEIGHT_DEFAULT = 600;

interface TableProps {
  /** Newest first. */
  requests: readonly SeenRequest[];
  selected: SeenRequest | undefined;
  onSelect(request: SeenRequest): void;
}

/** A list, not empty, of which only the visible rows are in the document. Arrow keys select a row. */
export function RequestTable({ requests, selected, onSelect }: TableProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  useStillRows(box, requests);
  const height = box.current?.clientHeight ?? HEIGHT_DEFAULT;
  const { from, to } = rowWindow(requests.length, { scrollTop, height, rowHeight: ROW_HEIGHT });
  const index = selected === undefined ? -1 : requests.findIndex((each) => isSame(each, selected));
  const onKeyDown = (event: KeyboardEvent): void => {
    const pageRows = Math.max(1, Math.floor(height / ROW_HEIGHT) - 1);
    const next = indexAfterKey(event.key, index, { count: requests.length, pageRows });
    const request = next === undefined ? undefined : requests[next];
    if (next === undefined || request === undefined) return;
    event.preventDefault();
    onSelect(request);
    showRow(box.current, next);
  };
  const row = (request: SeenRequest, position: number): VNode =>
    html`<${Row}
      key=${idOf(request)}
      request=${request}
      position=${from + position}
      count=${requests.length}
      isSelected=${from + position === index}
      onSelect=${onSelect}
    />`;
  return html`<div class="requests">
    <div class="row head" aria-hidden="true">
      ${['Time', 'Method', 'Path', 'Status', 'Key', 'Note'].map((label) => html`<span key=${label}>${label}</span>`)}
    </div>
    <div
      ref=${box}
      class="rows"
      role="listbox"
      aria-label="Requests, newest first"
      tabindex="0"
      aria-activedescendant=${index >= from && index < to && selected !== undefined ? idOf(selected) : undefined}
      onScroll=${({ currentTarget }: { currentTarget: HTMLElement }) => setScrollTop(currentTarget.scrollTop)}
      onKeyDown=${onKeyDown}
    >
      <div role="presentation" style=${{ height: `${String(from * ROW_HEIGHT)}px` }}></div>
      ${requests.slice(from, to).map(row)}
      <div role="presentation" style=${{ height: `${String((requests.length - to) * ROW_HEIGHT)}px` }}></div>
    </div>
  </div>`;
}

interface RowProps {
  request: SeenRequest;
  position: number;
  count: number;
  isSelected: boolean;
  onSelect(request: SeenRequest): void;
}

function Row({ request, position, count, isSelected, onSelect }: RowProps): VNode {
  const { at, method, path, query, tenant } = request.entry;
  const target = query === '' ? path : `${path}?${query}`;
  const key = tenant === undefined ? 'none' : String(tenant);
  const note = noteOf(request);
  return html`<div
    id=${idOf(request)}
    role="option"
    class="row"
    aria-selected=${String(isSelected)}
    aria-setsize=${count}
    aria-posinset=${position + 1}
    onClick=${() => onSelect(request)}
  >
    <span>${timeOfDay(Date.parse(at))}</span><span class="method">${method}</span
    ><span class="path" title=${target}>${target}</span><${Status} entry=${request.entry} /><span
      ><span class="hidden">key </span>${key}</span
    ><span class="muted note" title=${note}>${note}</span>
  </div>`;
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

function showRow(box: HTMLElement | null, index: number): void {
  if (box === null) return;
  const top = index * ROW_HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + ROW_HEIGHT > box.scrollTop + box.clientHeight)
    box.scrollTop = top + ROW_HEIGHT - box.clientHeight;
}

/** Keeps the visible rows where they are while new ones arrive above them, except at the top of the list. */
function useStillRows(box: RefObject<HTMLElement | null>, requests: readonly SeenRequest[]): void {
  const firstBefore = useRef<SeenRequest | undefined>(undefined);
  useLayoutEffect(() => {
    const before = firstBefore.current;
    [firstBefore.current] = requests;
    if (before === undefined || box.current === null || box.current.scrollTop === 0) return;
    const added = requests.findIndex((each) => isSame(each, before));
    if (added > 0) box.current.scrollTop += added * ROW_HEIGHT;
  });
}
