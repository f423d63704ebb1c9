import type { VNode } from 'preact';
import { html } from './html.js';

/** The search field above a list. */
export function FilterField(props: {
  value: string;
  placeholder: string;
  onChange: (text: string) => void;
}): VNode {
  return html`<label
    >Filter
    <input
      type="search"
      value=${props.value}
      placeholder=${props.placeholder}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => props.onChange(currentTarget.value)}
  /></label>`;
}
