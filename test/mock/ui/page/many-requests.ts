import { expect, test } from 'vitest';
import { createMock } from '../../../../src/mock/index.js';
import { requestOf } from '../../send-request.js';
import type { SharedPage } from './shared-page.js';

/** The list of requests at its limit of 1,000. */
export function testManyRequests(shared: SharedPage): void {
  const { open, rows } = shared;

  test('keeps the last 1,000 requests, and the visible rows still', async () => {
    const fast = createMock({ plan: 'unlimited', journalMax: 2_000 });
    const own = await fast.listen();
    for (let count = 0; count < 900; count += 1)
      fast.handle(requestOf('GET', `/pets?limit=${String((count % 100) + 1)}`));
    const page = await open(own.url);
    await page.getByText('900 requests').waitFor();
    await page.evaluate('document.querySelector(".rows").scrollTop = 12_800');
    const row = page.locator('#request-500');
    const before = await row.boundingBox();
    for (let count = 0; count < 50; count += 1) fast.handle(requestOf('GET', '/pets'));
    await page.getByText('950 requests').waitFor();
    expect(await row.boundingBox()).toEqual(before);
    for (let count = 0; count < 200; count += 1) fast.handle(requestOf('GET', '/pets'));
    await page.getByText('1,000 requests, 150 older ones removed').waitFor();
    expect(await row.boundingBox()).toEqual(before);
    expect(await rows().count()).toBe(1_000);
    await shared.leave();
    await own.close();
  });
}
