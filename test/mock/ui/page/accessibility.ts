import axe from 'axe-core';
import { expect, test } from 'vitest';
import { KEYS, VIEWPORT, type SharedPage } from './shared-page.js';

/** Of all rules, these alone depend on the colour scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Each view in both colour schemes, on a phone and on a large screen. */
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
  const violations = (part: string, rules?: readonly string[]): Promise<unknown> => {
    const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
    return shared.page.evaluate(`axe.run('${part}', ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200)).slice(0, 5)]))`);
  };

  test('axe reports nothing and nothing scrolls sideways, at each width and in each colour scheme', async () => {
    await open();
    const { page } = shared;
    await page.evaluate(axe.source);
    await fill();
    for (const tab of ['Requests', 'Pets', 'DNS names']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').locator('.row, tbody tr').nth(3).waitFor();
      for (const width of [360, 1_920]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
      // The rest is the same in every tab.
      const part = tab === 'Requests' ? 'html' : '.work';
      if (tab === 'DNS names') await page.getByRole('searchbox', { name: 'Filter' }).fill('caa');
      for (const width of [360, 1_920]) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: 'light' });
        expect(await violations(part), `${tab}, ${String(width)} px, light`).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await violations(part, COLOUR_RULES), `${tab}, ${String(width)} px, dark`).toEqual([]);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(VIEWPORT);
  }, 120_000);
}
