import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html, isSecondClick } from '../elements/elements.js';
import type { Store } from '../state/store.js';
import type { Pet } from '../state/wire.js';

const COLUMNS = [
  ['name', 'Name'],
  ['categoryId', 'Category id'],
  ['status', 'Status'],
] as const;

/** The texts in the inputs of a row. */
type Fields = Record<(typeof COLUMNS)[number][0], string>;

const NEW_PET: Fields = { name: '', categoryId: '1', status: 'available' };

/** A pet with an input in each cell. Enter saves the row, Escape restores it. */
export function PetRow({ store, pet }: { store: Store; pet: Pet }): VNode {
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
    // The button disappears with its row.
    currentTarget.closest<HTMLElement>('.table-box')?.focus();
    void store.change('DELETE', `/pets/${id}`, undefined, `Pet ${id} removed.`);
  };
  return html`<tr class=${isChanged ? 'changed' : ''} onKeyDown=${onKeys(save, undo)}>
    <th scope="row">${id}</th>
    ${cells(fields, `of pet ${id}`, (change) => setEdited({ ...edited, ...change }))}
    <td>
      <span class="buttons">
        ${
          isChanged
            ? [
                button('Save', `pet ${id}`, () => void save()),
                button('Undo', `the changes of pet ${id}`, undo),
              ]
            : button('Remove', `pet ${id}`, remove)
        }
      </span>
    </td>
  </tr>`;
}

/** The row that adds a pet. */
export function NewPet({ store }: { store: Store }): VNode {
  const [fields, setFields] = useState(NEW_PET);
  const add = async (): Promise<void> => {
    if (await store.change('POST', '/pets', bodyOf(fields), `Pet ${fields.name} added.`)) setFields(NEW_PET);
  };
  return html`<tr class="new" onKeyDown=${onKeys(add, () => setFields(NEW_PET))}>
    <th scope="row">new</th>
    ${cells(fields, 'of the new pet', (change) => setFields({ ...fields, ...change }))}
    <td><span class="buttons">${button('Add', 'the new pet', () => void add())}</span></td>
  </tr>`;
}

/** The mock checks the category id, and accepts it as text. */
function bodyOf({ name, categoryId, status }: Fields): object {
  return { name, categoryId: categoryId.trim(), status: status === '' ? undefined : status };
}

function cells(fields: Fields, owner: string, set: (change: Partial<Fields>) => void): VNode[] {
  return COLUMNS.map(
    ([name, label]) =>
      html`<td key=${name}>
        <input
          aria-label=${`${label} ${owner}`}
          value=${fields[name]}
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

function button(label: string, object: string, onClick: (click: ButtonClick) => void): VNode {
  return html`<button
    key=${label}
    type="button"
    aria-label=${`${label} ${object}`}
    onClick=${(click: ButtonClick) => {
      if (!isSecondClick(click)) onClick(click);
    }}
  >
    ${label}
  </button>`;
}

function onKeys(save: () => Promise<void>, undo: () => void) {
  return ({ key, target }: KeyboardEvent): void => {
    if (!(target instanceof HTMLInputElement)) return;
    if (key === 'Enter') void save();
    if (key === 'Escape') undo();
  };
}
