import { expect, test } from 'vitest';
import { becomes, KEYS, type SharedPage } from './shared-page.js';

/** The switches of the faults and their parameters. */
export function testFaults(shared: SharedPage): void {
  const { mock, open, send } = shared;

  test('switches faults on and off, and the others keep their counts', async () => {
    const page = await open();
    mock.setFaults([{ route: 'POST', times: 1, action: 'reset' }]);
    send('POST', '/pets', {});
    const slow = page.getByRole('switch', { name: 'slow' });
    const fault = page.getByRole('listitem').filter({ has: slow });
    await slow.click();
    await becomes(
      () => mock.state().faults.map(({ spec, applied }) => [spec, applied]),
      [
        [undefined, 1],
        ['slow', 0],
      ],
    );
    await becomes(() => slow.isChecked(), true);
    await page.getByText('Parameters of slow').click();
    await fault.getByLabel('route').fill('GET /pets');
    await fault.getByLabel('ms', { exact: true }).fill('250');
    await page.getByRole('button', { name: 'Apply' }).click();
    await becomes(() => mock.state().faults.at(-1)?.spec, 'slow:route=GET /pets,ms=250');
    await slow.click();
    await becomes(() => mock.state().faults.length, 1);
    await page.getByRole('button', { name: 'Remove the fault {"route":"POST"' }).click();
    await becomes(() => mock.state().faults, []);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('2');
    await page.getByRole('switch', { name: 'outage' }).click();
    await becomes(() => mock.forKey(KEYS[1]).faults.map(({ spec }) => spec), ['outage']);
    expect(mock.state().faults).toEqual([]);
  });

  test('shows a used-up fault as off, and turns it on again', async () => {
    const page = await open();
    mock.updateFaults({ add: ['rate-limit:times=1'] });
    const limit = page.getByRole('switch', { name: 'rate-limit' });
    await becomes(() => limit.isChecked(), true);
    send('GET', '/pets');
    await becomes(() => limit.isChecked(), false);
    await limit.click();
    await becomes(
      () => mock.state().faults.map(({ spec, applied }) => [spec, applied]),
      [['rate-limit:times=1', 0]],
    );
    await becomes(() => limit.isChecked(), true);
  });

  test('shows a rejected change, and keeps the state', async () => {
    const page = await open();
    await page.getByText('Parameters of slow').click();
    await page.getByLabel('ms', { exact: true }).fill('soon');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('alert').getByText('Fault parameter ms is not a number: soon').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('alert').getByText('Fault').waitFor({ state: 'detached' });
    expect(mock.state().faults).toEqual([]);
    shared.problems = shared.problems.filter((text) => !text.includes('400 (Bad Request)'));
  });
}
