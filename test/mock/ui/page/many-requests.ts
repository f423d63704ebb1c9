import { expect, test } from 'vitest';
import { createMock } from '../../../../src/mock/index.js';
import { requestOf } from '../../send-request.js';
import type { SharedPage } from './shared-page.js';

/** The list of requests at its limit of 10,000. */
export function testManyRequests(shared: SharedPage): void {
  const { open, rows } = shared;

  test('keeps few rows in the document for 10,000 requests, and keeps the visible rows still', async () => {
    const fast = createMock({ plan: 'unlimited', journalMax: 20_000 });
    const own = await fast.listen();
    for (let count = 0; count < 10_000; count += 1)
      fast.handle(requestOf('GET', `/pets?limit=${String((count % 100) + 1)}`));
    const page = await open(own.url);
    await page.getByText('10,000 requests').waitFor();
    const shown = rows();
    expect(await shown.count()).toBeLessThan(70);
    const elements = Number(await page.evaluate('document.querySelectorAll("*").length'));
    expect(elements).toBeLessThan(1_200);
    await page.evaluate('document.querySelector(".rows").scrollTop = 160_000');
    await page.locator('[aria-posinset="5001"]').waitFor();
    const before = await page.locator('[aria-posinset="5001"]').getAttribute('id');
    for (let count = 0; count < 500; count += 1) fast.handle(requestOf('GET', '/pets'));
    await page.getByText('10,500 requests').waitFor();
    await page.locator('[aria-posinset="5501"]').waitFor();
    expect(await page.locator('[aria-posinset="5501"]').getAttribute('id')).toBe(before);
    expect(await shown.count()).toBeLessThan(70);
    for (let count = 0; count < 1_000; count += 1) fast.handle(requestOf('GET', '/pets'));
    await page.getByText(/^10,000 requests, [\d,]+ older ones removed$/).waitFor();
    await shared.leave();
    await own.close();
  });
}
