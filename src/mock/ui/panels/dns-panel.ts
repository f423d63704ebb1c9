import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { BuiltInName } from '../../dns/built-in-names.js';
import { copyText, FilterField, html, useLoaded } from '../elements/elements.js';
import type { PageStore } from '../state/page-store.js';
import type { Dns } from '../state/wire.js';

/** The names of the mock DNS, and what is wrong with each. */
export function DnsPanel({ store }: { store: PageStore }): VNode {
  const dns = useLoaded(store, '/dns') as Dns | undefined;
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/);
  const names = (dns?.names ?? []).filter(({ name, shows, because }) =>
    words.every((word) => `${name} ${shows} ${because}`.toLowerCase().includes(word)),
  );
  return html`<div class="toolbar">
      <${FilterField} value=${filter} placeholder="caa, apex, lame …" onChange=${setFilter} />
      <span class="muted">${names.length} names · ${endpointText(dns)}</span>
    </div>
    <div class="table-box" role="region" aria-label="DNS names" tabindex="0">
      <table class="names">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">What is wrong with it</th>
            <th scope="col">What a check reports</th>
            ${dns?.endpoint !== undefined && html`<th scope="col"><span class="hidden">Actions</span></th>`}
          </tr>
        </thead>
        <tbody>
          ${names.map((name) => html`<${NameRow} key=${name.name} name=${name} dns=${dns} store=${store} />`)}
        </tbody>
      </table>
    </div>`;
}

function NameRow({ name, dns, store }: { name: BuiltInName; dns: Dns; store: PageStore }): VNode {
  const { endpoint } = dns;
  return html`<tr>
    <th scope="row">${name.name}</th>
    <td>${name.because}</td>
    <td>${name.shows.split(', ').map((id) => html`<code key=${id}>${id}</code>${' '}`)}</td>
    ${
      endpoint !== undefined &&
      html`<td>
        <button
          type="button"
          aria-label=${`Copy check of ${name.name}`}
          onClick=${() => void copyText(store, verifyCommand(name.name, endpoint), 'Command copied.')}
        >
          Copy check
        </button>
      </td>`
    }
  </tr>`;
}

function endpointText(dns: Dns | undefined): string {
  if (dns?.endpoint === undefined) return 'not served; start the mock with --dns-port 5353';
  return `served at ${dns.endpoint.host}:${String(dns.endpoint.port)}`;
}

function verifyCommand(name: string, { host, port }: { host: string; port: number }): string {
  const target = '--target cname.platform.test --no-certificate';
  const server = `--resolver ${host}:${String(port)} --authoritative-port ${String(port)}`;
  return `petstore domain verify ${name} ${target} ${server}`;
}
