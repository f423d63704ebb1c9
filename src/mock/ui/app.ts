import type { VNode } from 'preact';
import { html } from './elements/elements.js';
import { ClockPanel } from './panels/clock-panel.js';
import { DnsPanel } from './panels/dns-panel.js';
import { FaultsPanel } from './panels/faults-panel.js';
import { LimitsPanel } from './panels/limits-panel.js';
import { PetsPanel } from './panels/pets-panel.js';
import { RequestsPanel } from './requests/requests-panel.js';
import type { Model, PageStore } from './state/page-store.js';
import { Tabs } from './tabs.js';

/**
 * The whole page.
 *
 * @param props.pageNow time of the browser, in milliseconds.
 */
export function App({ store, pageNow }: { store: PageStore; pageNow: number }): VNode {
  const { model } = store;
  const tabs = [
    { id: 'requests', label: 'Requests', content: () => html`<${RequestsPanel} store=${store} />` },
    { id: 'pets', label: 'Pets', content: () => html`<${PetsPanel} key=${model.tenant} store=${store} />` },
    { id: 'dns', label: 'DNS names', content: () => html`<${DnsPanel} store=${store} />` },
  ];
  return html`<${Header} store=${store} />
    <main>
      <div class="meters">
        <${ClockPanel} store=${store} pageNow=${pageNow} />
        <${LimitsPanel} model=${model} pageNow=${pageNow} />
      </div>
      <div class="work panel"><${Tabs} label="Views" tabs=${tabs} /></div>
      <${FaultsPanel} store=${store} />
    </main>
    <${Messages} store=${store} />`;
}

const CONNECTIONS: Readonly<Record<Model['connection'], string>> = {
  connecting: 'Connecting …',
  open: 'Live',
  closed: 'No connection to the mock. Trying again …',
};

function Header({ store }: { store: PageStore }): VNode {
  const { connection, state, tenant } = store.model;
  const reset = (): void => {
    const owner = tenant === undefined ? 'The mock' : `Key ${String(tenant)}`;
    void store.change('POST', '/reset', undefined, `${owner} has its initial state.`);
  };
  return html`<header>
    <h1>Pet store mock</h1>
    <p class=${`connection ${connection}`} role="status">${CONNECTIONS[connection]}</p>
    <span class="end buttons">
      <label
        >Show
        <select
          value=${tenant === undefined ? '' : String(tenant)}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            store.selectTenant(currentTarget.value === '' ? undefined : Number(currentTarget.value))}
        >
          <option value="">all keys</option>
          ${state?.tenants.map(
            ({ tenant: number, plan, fingerprint }) =>
              html`<option key=${number} value=${number}>
                key ${number} · ${plan} · •••• ${fingerprint}
              </option>`,
          )}
        </select></label
      >
      <button type="button" popovertarget="reset">Reset …</button>
    </span>
    <div id="reset" popover="auto" role="dialog" aria-labelledby="reset-title">
      <p id="reset-title">Restore the initial pets, limits, faults and clock?</p>
      <p class="buttons">
        <button type="button" popovertarget="reset" class="danger" onClick=${reset}>
          Reset ${tenant === undefined ? 'everything' : `key ${String(tenant)}`}
        </button>
        <button type="button" popovertarget="reset" autofocus>Cancel</button>
      </p>
    </div>
  </header>`;
}

function Messages({ store }: { store: PageStore }): VNode {
  const { failure, notice } = store.model;
  return html`<div role="alert">
      ${
        failure !== '' &&
        html`<p class="failure">
          <span>${failure}.</span>
          <button type="button" onClick=${() => store.dismissFailure()}>Dismiss</button>
        </p>`
      }
    </div>
    <p role="status" class="hidden">${notice}</p>`;
}
