import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../elements/elements.js';
import { mockTime, windowAt, type WindowNow } from '../state/mock-time.js';
import type { Model } from '../state/page-store.js';
import { describeDuration, timeOfDay } from '../../../time/duration.js';
import { numberText } from '../elements/time-text.js';
import type { Limits, Tenant } from '../state/wire.js';

/** Keys that are shown at first, and with each "Show more". */
const KEYS_SHOWN = 8;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Above this share, a bar warns. */
const NEARLY_USED = 0.8;

/** The rate windows of each key, or of the selected one, as bars. */
export function LimitsPanel({ model, pageNow }: { model: Model; pageNow: number }): VNode {
  const [shown, setShown] = useState(KEYS_SHOWN);
  const tenants = (model.state?.tenants ?? []).filter(
    ({ tenant }) => model.tenant === undefined || tenant === model.tenant,
  );
  const hidden = tenants.length - shown;
  return html`<section aria-labelledby="limits-title" class="panel">
    <div class="panel-head"><h2 id="limits-title">Rate limits</h2></div>
    <ul class="keys">
      ${tenants
        .slice(0, shown)
        .map(
          (tenant) =>
            html`<${KeyLimits}
              key=${tenant.tenant}
              tenant=${tenant}
              now=${mockTime(model, pageNow, tenant).now}
            />`,
        )}
    </ul>
    ${
      hidden > 0 &&
      html`<button type="button" onClick=${() => setShown(shown + KEYS_SHOWN)}>
        Show more keys (${numberText(hidden)})
      </button>`
    }
  </section>`;
}

function KeyLimits({ tenant, now }: { tenant: Tenant; now: number }): VNode {
  const { tenant: number, plan, fingerprint, limits } = tenant;
  const name = `Key ${String(number)}`;
  return html`<li>
    <p class="key-name">
      <strong>${name}</strong>
      <span class="muted" title=${`Fingerprint ${fingerprint}`}>${plan} · •••• ${fingerprint}</span>
    </p>
    ${
      plan === 'unlimited'
        ? html`<p class="muted">No limits.</p>`
        : html`<${Bar} name=${name} label="Minute" window=${windowAt(limits.minute, MINUTE_MS, now)} /><${Bar}
              name=${name}
              label="Day"
              window=${windowAt(limits.day, DAY_MS, now)}
            />`
    }
    ${blockText(limits, now)}
  </li>`;
}

function Bar({ name, label, window }: { name: string; label: string; window: WindowNow }): VNode {
  const { limit, used, resetsInMs } = window;
  const text = `${numberText(used)} of ${numberText(limit)}`;
  return html`<div class="bar-row">
    <span>${label}</span>
    <span class="count">${text}</span>
    <span class="muted">resets in ${describeDuration(resetsInMs)}</span>
    <meter
      aria-label=${`${name}, ${label.toLowerCase()} window`}
      aria-valuetext=${`${text} requests used`}
      max=${limit}
      low=${limit * NEARLY_USED}
      high=${limit - 1}
      optimum="0"
      value=${used}
    ></meter>
  </div>`;
}

function blockText({ banned, blockedUntil }: Limits, now: number): VNode | false {
  const until = blockedUntil === undefined ? 0 : Date.parse(blockedUntil);
  if (until <= now) return false;
  const what = banned ? 'Banned' : 'Blocked by a fault';
  return html`<p class="warning">
    ${what} until ${timeOfDay(until)}, for ${describeDuration(until - now)}. Every request gets 429.
  </p>`;
}
