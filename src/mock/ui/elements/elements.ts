import htm from 'htm';
import { h, type VNode } from 'preact';
import type { PageStore } from '../state/page-store.js';
import { useEffect, useState } from 'preact/hooks';
import { parseJson, stringifyJson } from '../../../schema/json.js';

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

// Its types describe the CommonJS file; the build uses the ES module.
const { bind } = htm as unknown as { bind: (this: unknown, create: typeof h) => Template };

/** Makes elements from a template. Values become text or properties, never markup. */
export const html = bind.call(htm, h);

/** A state that a reload keeps. */
export function useKept<T>(name: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const kept = sessionStorage.getItem(name);
    return kept === null ? initial : (parseJson(kept) as T);
  });
  const keep = (next: T): void => {
    if (next === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, stringifyJson(next));
    setValue(next);
  };
  return [value, keep];
}

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

const DOUBLE_CLICK_MS = 500;
const DOUBLE_CLICK_PX = 8;
let clickBefore = { timeStamp: Number.NEGATIVE_INFINITY, clientX: 0, clientY: 0 };

/** Whether a click is the second one of a double click. After the first one, another button can be under the pointer. */
export function isSecondClick({ timeStamp, clientX, clientY, detail }: MouseEvent): boolean {
  const distance = Math.hypot(clientX - clickBefore.clientX, clientY - clickBefore.clientY);
  const isSoon = timeStamp - clickBefore.timeStamp < DOUBLE_CLICK_MS;
  // 0 stands for a key.
  if (detail > 0 && distance < DOUBLE_CLICK_PX && isSoon) return true;
  clickBefore = { timeStamp, clientX, clientY };
  return false;
}

/** Copies a text to the clipboard. Reports a failure, such as a denied permission. */
export async function copyText(store: PageStore, text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    store.notify(done);
  } catch {
    store.fail(new Error('The browser did not allow to copy. Select the text and copy it'));
  }
}

/**
 * Loads a path of the control API, and again when the path or the version changes.
 *
 * @returns `undefined` before the first response. The value before while a new one is loading. `null` after an error, if
 *   `isOptional`; otherwise the page shows it.
 */
export function useLoaded(store: PageStore, path: string, version = 0, isOptional = false): unknown {
  const [value, setValue] = useState<unknown>(undefined);
  useEffect(() => {
    let isCurrent = true;
    store.api.send('GET', path).then(
      (result) => {
        if (isCurrent) setValue(result);
      },
      (error: unknown) => {
        if (!isCurrent) return;
        if (isOptional) setValue(null);
        else store.fail(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [store, path, version, isOptional]);
  return value;
}
