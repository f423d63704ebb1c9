import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { html, useKept } from './elements/elements.js';

export interface Tab {
  id: string;
  label: string;
  content(): VNode;
}

/** Tabs with the keys of the ARIA practices: arrows, Home and End. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): VNode {
  const [chosen, setChosen] = useKept('tab', 0);
  const list = useRef<HTMLDivElement>(null);
  const current = tabs[chosen];
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    setChosen(index);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} ref=${list} onKeyDown=${onKeyDown}>
      ${tabs.map(
        ({ id, label: name }, index) =>
          html`<button
            key=${id}
            type="button"
            role="tab"
            id=${`tab-${id}`}
            aria-selected=${String(index === chosen)}
            aria-controls=${`panel-${id}`}
            tabindex=${index === chosen ? 0 : -1}
            onClick=${() => setChosen(index)}
          >
            ${name}
          </button>`,
      )}
    </div>
    ${tabs.map(
      ({ id }) =>
        html`<div
          key=${id}
          role="tabpanel"
          id=${`panel-${id}`}
          aria-labelledby=${`tab-${id}`}
          hidden=${id !== current?.id}
        >
          ${id === current?.id && current.content()}
        </div>`,
    )}`;
}
