import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html, isSecondClick } from '../elements/elements.js';
import type { PageStore } from '../state/page-store.js';
import type { Pet } from '../state/wire.js';

const COLUMNS = [
  ['name', 'Name'],
  ['categoryId', 'Category id'],
  ['status', 'Status'],
] as const;

/** The texts in the inputs of a row. */
type Fields = Record<(typeof COLUMNS)[number][0], string>;

const NEW_PET: Fields = { name: '', categoryId: '1', status: 'available' };

/** A pet with an input in each cell. Enter saves the row, Escape restores it. The inputs belong to the form of its buttons. */
export function PetRow({ store, pet }: { store: PageStore; pet: Pet }): VNode {
  const id = String(pet.id);
  const [edited, setEdited] = useState<Partial<Fields>>({});
  const saved = { name: pet.name, categoryId: String(pet.categoryId), status: pet.status ?? '' };
  const fields = { ...saved, ...edited };
  const isChanged = COLUMNS.some(([name]) => fields[name] !== saved[name]);
  const save = async (): Promise<void> => {
    const body = { ...pet, ...bodyOf(fields) };
    if (isChanged && (await store.change('PUT', `/pets/${id}`, body, `Pet ${id} saved.`))) setEdited({});
  };
  const undo = (): void => setEdited({});
  const remove = ({ currentTarget }: ButtonClick): void => {
    // The button disappears with its row. Not the next button, because a key that is held down repeats.
    const next = currentTarget.closest('tr')?.nextElementSibling?.querySelector('input');
    (next ?? currentTarget.closest<HTMLElement>('.table-box'))?.focus();
    void store.change('DELETE', `/pets/${id}`, undefined, `Pet ${id} removed.`);
  };
  return html`<tr class=${isChanged ? 'changed' : ''} onKeyDown=${onEscape(undo)}>
    <th scope="row">${id}</th>
    ${cells(fields, `pet ${id}`, (change) => setEdited({ ...edited, ...change }))}
    <td>
      <form id=${`pet ${id}`} class="buttons" onSubmit=${onSubmit(save)}>
        ${
          isChanged
            ? [button('Save', `pet ${id}`), button('Undo', `the changes of pet ${id}`, undo)]
            : button('Remove', `pet ${id}`, remove)
        }
      </form>
    </td>
  </tr>`;
}

/** The row that adds a pet. */
export function NewPet({ store }: { store: PageStore }): VNode {
  const [fields, setFields] = useState(NEW_PET);
  const add = async (): Promise<void> => {
    if (await store.change('POST', '/pets', bodyOf(fields), `Pet ${fields.name} added.`)) setFields(NEW_PET);
  };
  return html`<tr onKeyDown=${onEscape(() => setFields(NEW_PET))}>
    <th scope="row">new</th>
    ${cells(fields, 'the new pet', (change) => setFields({ ...fields, ...change }))}
    <td>
      <form id="the new pet" class="buttons" onSubmit=${onSubmit(add)}>${button('Add', 'the new pet')}</form>
    </td>
  </tr>`;
}

/** The mock checks the category id, and accepts it as text. */
function bodyOf({ name, categoryId, status }: Fields): object {
  return { name, categoryId: categoryId.trim(), status: status === '' ? undefined : status };
}

/** @param pet also the id of its form. A pet can have an empty name, but a new one gets it only by an edit. */
function cells(fields: Fields, pet: string, set: (change: Partial<Fields>) => void): VNode[] {
  return COLUMNS.map(
    ([name, label]) =>
      html`<td key=${name}>
        <input
          aria-label=${`${label} of ${pet}`}
          form=${pet}
          value=${fields[name]}
          required=${name === 'categoryId' || (name === 'name' && pet === 'the new pet')}
          pattern=${name === 'categoryId' ? '\\s*-?[0-9]+\\s*' : undefined}
          title=${name === 'categoryId' ? 'A whole number' : undefined}
          autocomplete="off"
          spellcheck=${false}
          list=${name === 'status' ? 'statuses' : undefined}
          inputmode=${name === 'categoryId' ? 'numeric' : undefined}
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
            set({ [name]: currentTarget.value })}
        />
      </td>`,
  );
}

type ButtonClick = MouseEvent & { currentTarget: HTMLButtonElement };

/** Without a function it submits its form. */
function button(label: string, object: string, onClick?: (click: ButtonClick) => void): VNode {
  return html`<button
    key=${label}
    type=${onClick === undefined ? 'submit' : 'button'}
    aria-label=${`${label} ${object}`}
    onClick=${(click: ButtonClick) => {
      if (isSecondClick(click)) click.preventDefault();
      else onClick?.(click);
    }}
  >
    ${label}
  </button>`;
}

function onSubmit(save: () => Promise<void>) {
  return (event: Event): void => {
    event.preventDefault();
    void save();
  };
}

function onEscape(undo: () => void) {
  return ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') undo();
  };
}
