import { test } from 'vitest';
import { createMock } from '../../../../src/mock/index.js';
import type { SharedPage } from './shared-page.js';

/** The connection to the mock. */
export function testConnection(shared: SharedPage): void {
  test('shows a lost connection', async () => {
    const own = await createMock().listen();
    const page = await shared.open(own.url);
    await own.close({ deadlineMs: 0 });
    await page.getByText('No connection to the mock').waitFor();
    await page.getByRole('button', { name: '+1 s', exact: true }).click();
    await page.getByText('The mock does not respond.').waitFor();
    const again = await createMock().listen({ port: own.port });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('The mock does not respond.').waitFor({ state: 'detached' });
    await shared.leave();
    await again.close();
    shared.problems = shared.problems.filter((text) => !text.includes('ERR_'));
  });
}
