import axe from 'axe-core';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { IS_FULL } from '../../../support/random-runs.js';
import { KEYS, VIEWPORT, type SharedPage } from './shared-page.js';

/** Of all rules, these alone depend on the colour scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const COLOURS = [
  ['light', { colorScheme: 'light', forcedColors: 'none' }, undefined],
  ['dark', { colorScheme: 'dark' }, COLOUR_RULES],
  ['forced colours', { forcedColors: 'active' }, COLOUR_RULES],
] as const;

/** A phone, a tablet and a small laptop. */
const WIDTHS = [360, 768, 1_280];

/** Names what scrolls sideways, and an empty area below the content. */
const OVERFLOW = `[
  ...[document.documentElement, ...document.querySelectorAll('.panel, .table-box, .rows')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, className }) => tagName + '.' + className),
  ...(document.documentElement.scrollHeight >
    Math.max(innerHeight, document.querySelector('main').getBoundingClientRect().bottom + scrollY + 2)
    ? ['empty area'] : []),
]`;

/** Each view at each width, and with each kind of colours. */
export function testAccessibility(shared: SharedPage): void {
  const { mock, open, rows, send } = shared;

  /** Fills every view with each kind of row once, because more of them only cost time. */
  const fill = async (): Promise<void> => {
    const { page } = shared;
    mock.setFaults(['slow:ms=1', { route: 'POST', action: 'reset' }]);
    for (let count = 0; count < 71; count += 1) send('GET', '/pets?limit=1');
    mock.clearJournal();
    send('GET', '/pets?limit=1');
    send('GET', '/pets?limit=1', undefined, KEYS[1]);
    send('GET', `/pets/${'9'.repeat(300)}`, undefined, KEYS[1]);
    send('POST', '/pets', { name: 'Rex', categoryId: 1 }, KEYS[1]);
    mock
      .forKey()
      .pets.load(['available', 'pending', 'sold'].map((status) => ({ name: status, categoryId: 1, status })));
    await page.getByText('Parameters of slow').click();
    await rows({ name: '429' }).click();
    await page.getByText('Why').waitFor();
  };
  const violations = (part: string, rules: readonly string[] | undefined): Promise<unknown> => {
    const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
    return shared.page.evaluate(`axe.run('${part}', ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200)).slice(0, 5)]))`);
  };

  // The full run has all colours at each width, the default one at the smallest.
  test('axe reports nothing and nothing is cut off, at each width and with each kind of colours', async () => {
    const page = await open();
    await page.evaluate(axe.source);
    await fill();
    for (const tab of ['Requests', 'Pets', 'DNS names']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').locator('.row, tbody tr').nth(3).waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(OVERFLOW), `${tab}, ${String(width)} px`).toEqual([]);
      }
      // The rest is the same in every tab.
      const part = tab === 'Requests' ? 'html' : '.work';
      if (tab === 'DNS names') await page.getByRole('searchbox', { name: 'Filter' }).fill('caa');
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        for (const [name, media, rules] of IS_FULL || width === WIDTHS[0] ? COLOURS : COLOURS.slice(0, 1)) {
          await page.emulateMedia({ ...COLOURS[0][1], ...media });
          expect(await violations(part, rules), `${tab}, ${String(width)} px, ${name}`).toEqual([]);
        }
      }
    }
    await page.emulateMedia(COLOURS[0][1]);
    await page.setViewportSize(VIEWPORT);
  }, 120_000);

  test('forced colours show what is selected, switched on and used up', async () => {
    await open();
    await fill();
    const { page } = shared;
    await page.emulateMedia({ forcedColors: 'active' });
    const looks = async (one: Locator, other: Locator): Promise<boolean> =>
      (await one.screenshot()).equals(await other.screenshot());
    expect(
      await looks(page.getByRole('switch', { name: 'slow' }), page.getByRole('switch', { name: 'flaky' })),
    ).toBe(false);
    const minute = (key: string): Locator => page.getByRole('meter', { name: `${key}, minute window` });
    expect(await looks(minute('Key 1'), minute('Key 2'))).toBe(false);
    const style = async (selector: string, property: string): Promise<unknown> =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    expect(await style('.row[aria-selected="true"]', 'outlineStyle')).toBe('solid');
    expect(await style('[role=tab][aria-selected="true"]', 'borderBottomStyle')).toBe('solid');
    expect(await style('[role=tab][aria-selected="false"]', 'borderBottomStyle')).toBe('none');
    await page.emulateMedia(COLOURS[0][1]);
  });
}
