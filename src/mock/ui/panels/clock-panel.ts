import { html } from '../elements/elements.js';
import { mockTime } from '../state/mock-time.js';
import type { PageStore } from '../state/page-store.js';
import { describeDuration, timeOfDay } from '../../../time/duration.js';
import { timeText } from '../elements/time-text.js';
import type { VNode } from 'preact';

const STEPS: readonly (readonly [label: string, advance: string])[] = [
  ['+1 s', '1s'],
  ['+10 s', '10s'],
  ['+1 min', '60s'],
  ['+1 h', '1h'],
];

/** The clock of the mock or of the selected key, with buttons that move it. */
export function ClockPanel({ store, pageNow }: { store: PageStore; pageNow: number }): VNode {
  const { model } = store;
  const tenants = model.state?.tenants ?? [];
  const tenant = tenants.find(({ tenant }) => tenant === model.tenant);
  const { now, isFrozen, aheadMs } = mockTime(model, pageNow, tenant);
  const isBanned = (tenant ?? tenants[0])?.limits.banned === true;
  const move = (advance: string, done: string) => () =>
    void store.change('POST', '/clock', { advance }, done);
  const toggle = (): void =>
    void store.change(
      'POST',
      '/clock',
      isFrozen ? { run: true } : { freeze: true },
      isFrozen ? 'The clock runs.' : 'The clock is frozen.',
    );
  return html`<section aria-labelledby="clock-title" class="panel">
    <div class="panel-head">
      <h2 id="clock-title">Clock</h2>
      ${isFrozen && html`<span class="badge">frozen</span>`}
      <button type="button" onClick=${toggle}>${isFrozen ? 'Run' : 'Freeze'}</button>
    </div>
    <p class="clock">
      <time datetime=${new Date(now).toISOString()}>${timeOfDay(now)}</time>
      <span class="muted">${timeText(now).slice(0, 10)}<br />${aheadText(aheadMs)}</span>
    </p>
    <div class="buttons" role="group" aria-label="Move the clock">
      ${STEPS.map(
        ([label, advance]) =>
          html`<button type="button" onClick=${move(advance, `Clock moved: ${label}.`)}>${label}</button>`,
      )}
    </div>
    <div class="buttons" role="group" aria-label="Move the clock to an event">
      <button type="button" onClick=${move('until-reset', 'Clock moved to the reset.')}>To the reset</button>
      <button
        type="button"
        disabled=${!isBanned}
        onClick=${move('until-unbanned', 'Clock moved to the end of the ban.')}
      >
        To the end of the ban
      </button>
    </div>
  </section>`;
}

function aheadText(aheadMs: number): string {
  if (aheadMs >= 1_000) return `${describeDuration(aheadMs)} ahead`;
  return aheadMs <= -1_000 ? `${describeDuration(-aheadMs)} behind` : 'real time';
}
