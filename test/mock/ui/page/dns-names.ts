import { expect, test } from 'vitest';
import type { SharedPage } from './shared-page.js';

/** The table of the names of the mock DNS. */
export function testDnsNames(shared: SharedPage): void {
  test('lists the DNS names with what is wrong with each, and copies a command', async () => {
    const page = await shared.open();
    const { server } = shared;
    await page.getByRole('tab', { name: 'DNS names' }).click();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('missing no record');
    const row = page.getByRole('row', { name: 'missing.example.test' }).first();
    await row.getByText('record.missing').waitFor();
    await page.getByRole('button', { name: 'Copy check of missing.example.test' }).click();
    await page.getByText('Command copied.').waitFor({ state: 'attached' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `--resolver 127.0.0.1:${String(server.dns?.port)} `,
    );
  });
}
