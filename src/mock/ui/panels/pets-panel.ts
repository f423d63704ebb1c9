import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { withQuery } from '../state/api.js';
import { html, useLoaded } from '../elements/elements.js';
import type { PageStore } from '../state/page-store.js';
import { numberText } from '../elements/time-text.js';
import type { Pet } from '../state/wire.js';
import { NewPet, PetRow } from './pet-row.js';

/** Pets in the document at a time, because a mock can have a million. */
const PETS_SHOWN = 50;

/** The statuses of a pet (interface specification, "States and transitions"). */
const STATUSES = ['available', 'pending', 'sold'];

/** The pets of the selected key, or of the first one, as an editable table. */
export function PetsPanel({ store }: { store: PageStore }): VNode {
  const { tenant, petsVersion } = store.model;
  const [status, setStatus] = useState('');
  const [offset, setOffset] = useState(0);
  const query = { ...(status === '' ? {} : { status }), limit: String(PETS_SHOWN), offset: String(offset) };
  const loaded = useLoaded(store, withQuery('/pets', tenant, query), petsVersion);
  const { pets = [], total = 0 } = (loaded ?? {}) as { pets?: readonly Pet[]; total?: number };
  const pageChange = (by: number) => () => setOffset(Math.max(0, offset + by));
  return html`<div class="toolbar">
      <label
        >Status
        <select
          value=${status}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => {
            setStatus(currentTarget.value);
            setOffset(0);
          }}
        >
          <option value="">all</option>
          ${STATUSES.map((each) => html`<option key=${each}>${each}</option>`)}
        </select></label
      >
      <span class="muted">${rangeText(offset, pets.length, total)} · key ${tenant ?? 1}</span>
      <span class="buttons end">
        <button type="button" disabled=${offset === 0} onClick=${pageChange(-PETS_SHOWN)}>Previous</button>
        <button type="button" disabled=${offset + PETS_SHOWN >= total} onClick=${pageChange(PETS_SHOWN)}>
          Next
        </button>
      </span>
    </div>
    <datalist id="statuses">${STATUSES.map((each) => html`<option key=${each} value=${each} />`)}</datalist>
    <div class="table-box" role="region" aria-label="Pets" tabindex="0">
      <table class="pets">
        <thead>
          <tr>
            <th scope="col">Id</th>
            <th scope="col">Name</th>
            <th scope="col">Category id</th>
            <th scope="col">Status</th>
            <th scope="col"><span class="hidden">Actions</span></th>
          </tr>
        </thead>
        <tbody>
          <${NewPet} store=${store} />
          ${pets.map((pet) => html`<${PetRow} key=${String(pet.id)} store=${store} pet=${pet} />`)}
        </tbody>
      </table>
    </div>`;
}

function rangeText(offset: number, shown: number, total: number): string {
  if (shown === 0) return 'No pets';
  return `${numberText(offset + 1)}–${numberText(offset + shown)} of ${numberText(total)} pets`;
}
