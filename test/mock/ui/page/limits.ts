import { expect, test } from 'vitest';
import { sendRequest } from '../../send-request.js';
import { becomes, KEYS, type SharedPage } from './shared-page.js';

/** The rate windows of each key. */
export function testLimits(shared: SharedPage): void {
  const { mock, open, rows, send } = shared;

  test('shows the windows of each key, which fill and reset', async () => {
    const page = await open();
    for (let count = 0; count < 61; count += 1) send('GET', '/pets');
    const minute = page.getByRole('meter', { name: 'Key 1, minute window' });
    await becomes(() => minute.getAttribute('aria-valuetext'), '60 of 60 requests used');
    const other = page.getByRole('meter', { name: 'Key 2, minute window' });
    expect(await other.getAttribute('aria-valuetext')).toBe('0 of 60 requests used');
    await rows({ name: '429' }).click();
    await page.getByText(/60 of 60 requests used; it resets at \d{4}-\d\d-\d\d \d\d:01:00\./).waitFor();
    await page.getByRole('button', { name: 'To the reset' }).click();
    await becomes(() => minute.getAttribute('aria-valuetext'), '0 of 60 requests used');
    expect(sendRequest(mock, 'GET', '/pets', { key: KEYS[0] }).status).toBe(200);
  });

  test('shows a ban, and moves the clock to its end', async () => {
    const page = await open();
    expect(await page.getByRole('button', { name: 'To the end of the ban' }).isDisabled()).toBe(true);
    for (let count = 0; count < 71; count += 1) send('GET', '/pets');
    await page.getByText(/^\s*Banned until/).waitFor();
    await page.getByRole('button', { name: 'To the end of the ban' }).click();
    await becomes(() => sendRequest(mock, 'GET', '/pets', { key: KEYS[0] }).status, 200);
  });
}
