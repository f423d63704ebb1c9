import { expect, test } from 'vitest';
import { becomes, KEYS, type SharedPage } from './shared-page.js';

/** The clock of the mock and of a key, and the reset of everything. */
export function testClock(shared: SharedPage): void {
  const { mock, open, rows, send } = shared;

  test('moves the clock by a second, ten seconds, a minute and an hour', async () => {
    const page = await open();
    let offsetMs = 0;
    for (const [name, byMs, ahead] of [
      ['+1 s', 1_000, '1 s ahead'],
      ['+10 s', 10_000, '11 s ahead'],
      ['+1 min', 60_000, '1 min 11 s ahead'],
      ['+1 h', 3_600_000, '1 h 1 min ahead'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      offsetMs += byMs;
      await becomes(() => mock.state().clockOffsetMs, offsetMs);
      await page.getByText(ahead).waitFor();
    }
  });

  test('freezes and runs the clock, also of one key', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await becomes(() => mock.clock.isFrozen, true);
    await page.getByText('frozen', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await becomes(() => mock.clock.isFrozen, false);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('2');
    await page.getByRole('button', { name: 'Freeze' }).click();
    await becomes(() => mock.forKey(KEYS[1]).clock.isFrozen, true);
    expect(mock.clock.isFrozen).toBe(false);
  });

  test('resets after a question', async () => {
    const page = await open();
    send('POST', '/pets', { name: 'Rex', categoryId: 1 });
    await rows().waitFor();
    await page.getByRole('button', { name: 'Reset …' }).click();
    await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(mock.journal).toHaveLength(1);
    await page.getByRole('button', { name: 'Reset …' }).click();
    await page.getByRole('button', { name: 'Reset everything' }).click();
    await page.getByText('Requests appear here').waitFor();
    expect([mock.journal.length, mock.state().tenants[0]?.pets]).toEqual([0, 25]);
  });
}
