import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { stringifyJson } from '../../../schema/json.js';
import type { FaultProfile } from '../../service/fault-profiles.js';
import { html, isSecondClick, useLoaded } from '../elements/elements.js';
import type { PageStore } from '../state/page-store.js';
import { numberText } from '../elements/time-text.js';
import type { ActiveFault } from '../state/wire.js';

/** The named faults as switches, and the other faults with a button each. */
export function FaultsPanel({ store }: { store: PageStore }): VNode {
  const { tenant, faults } = store.model;
  const loaded = useLoaded(store, '/fault-profiles') as { profiles: readonly FaultProfile[] } | undefined;
  const others = faults.filter(({ spec }) => spec === undefined);
  return html`<section aria-labelledby="faults-title" class="panel faults-panel">
    <div class="panel-head">
      <h2 id="faults-title">Faults</h2>
      <span class="muted">${tenant === undefined ? 'for every key' : `for key ${String(tenant)} only`}</span>
    </div>
    <ul class="faults">
      ${loaded?.profiles.map(
        (profile) =>
          html`<${Profile}
            key=${`${profile.name} ${String(tenant)}`}
            store=${store}
            profile=${profile}
            active=${faultsOfProfile(profile, faults)}
          />`,
      )}
      ${others.map(
        (fault) =>
          html`<li key=${fault.id} class="other-fault">
            <span><code>${jsonOf(fault)}</code> <span class="muted">${countText([fault])}</span></span>
            <button
              type="button"
              aria-label=${`Remove the fault ${jsonOf(fault)}`}
              onClick=${(click: MouseEvent) => {
                if (!isSecondClick(click)) void change(store, [], [fault], 'Fault removed.');
              }}
            >
              Remove
            </button>
          </li>`,
      )}
    </ul>
  </section>`;
}

interface ProfileProps {
  store: PageStore;
  profile: FaultProfile;
  active: readonly ActiveFault[];
}

function Profile({ store, profile, active }: ProfileProps): VNode {
  const { name, summary, parameters } = profile;
  const [values, setValues] = useState<FaultValues>({});
  const isOn = active.some((fault) => !isUsedUp(fault));
  const [spec] = active.map(({ spec }) => spec);
  const turnOn = (added = faultSpec(name, values)): void =>
    void change(store, [added], active, `The fault ${name} is on.`);
  const toggle = (): void => {
    if (isOn) void change(store, [], active, `The fault ${name} is off.`);
    else turnOn(spec);
  };
  return html`<li>
    <label class="switch"
      ><input
        type="checkbox"
        role="switch"
        checked=${isOn}
        aria-describedby=${`fault-${name}`}
        onChange=${toggle}
      />${name}</label
    >
    <p id=${`fault-${name}`} class="muted">${summary}.</p>
    ${spec !== undefined && html`<p class="count"><code>${spec}</code> ${countText(active)}</p>`}
    <details>
      <summary>Parameters<span class="hidden"> of ${name}</span></summary>
      <form
        class="parameters"
        onSubmit=${(event: Event) => {
          event.preventDefault();
          turnOn();
        }}
      >
        ${parameters.map(
          ({ name: parameter, summary: meaning, default: fallback = '' }) =>
            html`<label title=${meaning}
              ><span>${parameter}</span
              ><input
                value=${values[parameter] ?? ''}
                placeholder=${String(fallback)}
                autocomplete="off"
                onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
                  setValues({ ...values, [parameter]: currentTarget.value })}
            /></label>`,
        )}
        <button type="submit">${isOn ? 'Apply' : 'Turn on'}</button>
      </form>
    </details>
  </li>`;
}

function change(
  store: PageStore,
  add: readonly string[],
  remove: readonly ActiveFault[],
  done: string,
): Promise<boolean> {
  return store.change('PATCH', '/faults', { add, remove: remove.map(({ id }) => id) }, done);
}

function countText(faults: readonly ActiveFault[]): string {
  const applied = faults.reduce((sum, fault) => sum + fault.applied, 0);
  return `applied to ${numberText(applied)} ${applied === 1 ? 'request' : 'requests'}`;
}

/** Whether a fault has been applied as often as it can be. */
function isUsedUp({ applied, times = Infinity }: ActiveFault): boolean {
  return applied >= times;
}

/** The values of the parameters of a profile, as typed. Empty means the default. */
type FaultValues = Readonly<Record<string, string>>;

/** Returns the text that the mock parses, such as `slow:ms=250`. */
function faultSpec(name: string, values: FaultValues): string {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  if (given.length === 0) return name;
  return `${name}:${given.map(([parameter, value]) => `${parameter}=${value.trim()}`).join(',')}`;
}

/** The active faults that were made from a profile. */
function faultsOfProfile({ name }: FaultProfile, faults: readonly ActiveFault[]): ActiveFault[] {
  return faults.filter(({ spec }) => spec?.split(':', 1)[0] === name);
}

/** The JSON of a fault that was passed as an object, as `--fault` takes it. */
function jsonOf({ id: _id, seen: _seen, applied: _applied, ...fault }: ActiveFault): string {
  return stringifyJson(fault);
}
