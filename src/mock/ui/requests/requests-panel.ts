import type { VNode } from 'preact';
import { FilterField, html, useKept } from '../elements/elements.js';
import type { PageStore } from '../state/page-store.js';
import { numberText } from '../elements/time-text.js';
import type { SeenRequest } from '../state/wire.js';
import { FirstRequest } from './first-request.js';
import { RequestDetail } from './request-detail.js';
import { matchesFilter } from '../state/request-log.js';
import { isSame, RequestTable } from './request-table.js';

/** The requests as they arrive, newest first, and the details of the selected one. */
export function RequestsPanel({ store }: { store: PageStore }): VNode {
  const { log, tenant } = store.model;
  const [filter, setFilter] = useKept('filter', '');
  const [chosen, setSelected] = useKept<SeenRequest | undefined>('selected', undefined);
  // The list has the newest state of it, and may have been cleared.
  const selected = chosen && log.all.find((request) => isSame(request, chosen));
  const close = (): void => {
    setSelected(undefined);
    document.querySelector<HTMLElement>('.rows')?.focus();
  };
  const shown = log.all.filter((request) => matchesFilter(request, filter, tenant)).reverse();
  return html`<div class="toolbar">
      <${FilterField} value=${filter} placeholder="post 429 …" onChange=${setFilter} />
      <span class="muted">${countText(shown.length, log.all.length, log.dropped)}</span>
      <span class="buttons end">
        <button
          type="button"
          onClick=${() => void store.change('DELETE', '/journal', undefined, 'List cleared.')}
        >
          Clear
        </button>
      </span>
    </div>
    <div
      class=${selected === undefined ? 'split' : 'split open'}
      onKeyDown=${({ key }: KeyboardEvent) => {
        if (key === 'Escape') close();
      }}
    >
      ${
        shown.length > 0
          ? html`<${RequestTable} requests=${shown} selected=${selected} onSelect=${setSelected} />`
          : log.all.length > 0
            ? html`<p class="empty">No request matches.</p>`
            : html`<${FirstRequest} store=${store} />`
      }
      ${
        selected !== undefined &&
        html`<${RequestDetail}
          key=${`${selected.entry.sequence} ${selected.entry.at}`}
          store=${store}
          request=${selected}
          onClose=${close}
        />`
      }
    </div>`;
}

function countText(shown: number, all: number, dropped: number): string {
  const count = `${numberText(all)} ${all === 1 ? 'request' : 'requests'}`;
  const older = dropped === 0 ? '' : `, ${numberText(dropped)} older ones removed`;
  return shown === all ? `${count}${older}` : `${numberText(shown)} of ${count}${older}`;
}
