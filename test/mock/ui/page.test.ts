import axe from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type MockServer } from '../../../src/mock/index.js';
import { requestOf, sendRequest } from '../send-request.js';
import { openBrowser, openPage, whyNoBrowser, type PageLook } from './browser.js';

const KEYS = ['first-key', 'second-key'];
/** In the middle of a minute and of a day. */
const NOON = Date.UTC(2026, 10, 21, 12, 0, 30);

const skipped = whyNoBrowser();
const mock = createMock({ keys: KEYS, clock: { now: () => NOON }, journalMax: 20_000 });
let server: MockServer;
let browser: Browser;
let page: Page;
let problems: string[];

/** Waits until a value of the mock is as expected. The page sends its change without a visible reply. */
async function becomes(value: () => unknown, expected: unknown): Promise<void> {
  await expect.poll(value, { timeout: 10_000, interval: 20 }).toEqual(expected);
}

/** The rows of the list of requests. */
function rows(options: { name?: string; selected?: boolean } = {}): Locator {
  return page.getByRole('listbox').getByRole('option', options);
}

async function open(look?: PageLook): Promise<void> {
  ({ page, problems } = await openPage(browser, server.url, look));
}

function send(method: string, path: string, body?: unknown, key = KEYS[0]): void {
  mock.handle(requestOf(method, path, { key, body }));
}

describe.skipIf(skipped !== undefined)(
  `the page in Chromium${skipped === undefined ? '' : ` (${skipped})`}`,
  () => {
    beforeAll(async () => {
      server = await mock.listen({ dnsPort: 0 });
      browser = await openBrowser();
    }, 60_000);
    afterEach(async () => {
      await page.close();
      mock.reset();
      expect(problems).toEqual([]);
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });

    test('shows requests as they arrive, with headers, body and the reason', async () => {
      await open();
      send('POST', '/pets', { name: 'Rex', categoryId: 1 });
      await rows({ name: 'POST /pets 201' }).click();
      const detail = page.getByRole('article');
      await detail.getByText('Bearer [redacted]').waitFor();
      await detail.getByText('"name": "Rex"').first().waitFor();
      await detail.getByText('x-ratelimit-remaining').waitFor();
      await detail.getByText('The request counts in the minute window').waitFor();
      expect(await page.content()).not.toContain(KEYS[0]);
      await page.keyboard.press('Escape');

      await detail.waitFor({ state: 'detached' });
      expect(mock.journal).toHaveLength(1);
    });

    test('copies a request as curl, with the key as a variable', async () => {
      await open();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      send('POST', '/pets', { name: "Rex's $HOME", categoryId: 1 });
      await rows().click();
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      await page.getByText('curl command copied.').waitFor({ state: 'attached' });
      const text = await page.evaluate('navigator.clipboard.readText()');
      expect(text).toContain(`curl --globoff ${server.url}/v1/pets`);
      expect(text).toContain('--header "authorization: Bearer $PETSTORE_API_KEY"');
      expect(text).toContain(String.raw`--data-raw '{"name":"Rex'\''s $HOME","categoryId":1}'`);
    });

    test('filters the requests and clears them', async () => {
      await open();
      send('GET', '/pets');
      send('GET', '/pets/404', undefined, KEYS[1]);
      await page.getByRole('searchbox', { name: 'Filter' }).fill('get 404');
      await page.getByText('1 of 2 requests').waitFor();
      await page.getByRole('searchbox', { name: 'Filter' }).fill('');
      await page.getByRole('combobox', { name: 'Show' }).selectOption('1');
      await page.getByText('1 of 2 requests').waitFor();
      await page.getByRole('combobox', { name: 'Show' }).selectOption('');
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('Requests appear here').waitFor();
      expect(mock.journal).toEqual([]);
    });

    test('shows the windows of each key, which fill and reset', async () => {
      await open();
      for (let count = 0; count < 61; count += 1) send('GET', '/pets');
      const minute = page.getByRole('meter', { name: 'Key 1, minute window' });
      await becomes(() => minute.getAttribute('aria-valuetext'), '60 of 60 requests used');
      const other = page.getByRole('meter', { name: 'Key 2, minute window' });
      expect(await other.getAttribute('aria-valuenow')).toBe('0');
      await rows({ name: '429' }).click();
      await page.getByText('60 of 60 requests used; it resets at').waitFor();
      await page.getByRole('button', { name: 'To the reset' }).click();
      await becomes(() => minute.getAttribute('aria-valuetext'), '0 of 60 requests used');
      expect(sendRequest(mock, 'GET', '/pets', { key: KEYS[0] }).status).toBe(200);
    });

    test('shows a ban, and moves the clock to its end', async () => {
      await open();
      expect(await page.getByRole('button', { name: 'To the end of the ban' }).isDisabled()).toBe(true);
      for (let count = 0; count < 71; count += 1) send('GET', '/pets');
      await page.getByText(/^\s*Banned until/).waitFor();
      await page.getByRole('button', { name: 'To the end of the ban' }).click();
      await becomes(() => sendRequest(mock, 'GET', '/pets', { key: KEYS[0] }).status, 200);
    });

    test.each([
      ['+1 s', 1_000],
      ['+10 s', 10_000],
      ['+1 min', 60_000],
      ['+1 h', 3_600_000],
    ])('the button %s moves the clock', async (name, offsetMs) => {
      await open();
      await page.getByRole('button', { name, exact: true }).click();
      await becomes(() => mock.state().clockOffsetMs, offsetMs);
      await page.getByText('ahead').waitFor();
    });

    test('freezes and runs the clock, also of one key', async () => {
      await open();
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

    test('switches faults on and off, and the others keep their counts', async () => {
      await open();
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
      await becomes(() => slow.getAttribute('aria-checked'), 'true');
      await page.getByText('Parameters of slow').click();
      await fault.getByLabel('route').fill('GET /pets');
      await fault.getByLabel('ms', { exact: true }).fill('250');
      await page.getByRole('button', { name: 'Apply' }).click();
      await becomes(() => mock.state().faults.at(-1)?.spec, 'slow:route=GET /pets,ms=250');
      await slow.click();
      await becomes(() => mock.state().faults.length, 1);
      await page.getByRole('button', { name: 'Remove the fault reset' }).click();
      await becomes(() => mock.state().faults, []);
      await page.getByRole('combobox', { name: 'Show' }).selectOption('2');
      await page.getByRole('switch', { name: 'outage' }).click();
      await becomes(() => mock.forKey(KEYS[1]).faults.map(({ spec }) => spec), ['outage']);
      expect(mock.state().faults).toEqual([]);
    });

    test('shows a rejected change, and keeps the state', async () => {
      await open();
      await page.getByText('Parameters of slow').click();
      await page.getByLabel('ms', { exact: true }).fill('soon');
      await page.getByRole('button', { name: 'Turn on' }).click();
      await page.getByRole('alert').getByText('Fault parameter ms is not a number: soon').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('alert').getByText('Fault').waitFor({ state: 'detached' });
      expect(mock.state().faults).toEqual([]);
      problems = problems.filter((text) => !text.includes('400 (Bad Request)'));
    });

    test('adds, edits and removes pets without losing a digit or a field', async () => {
      await open();
      mock.forKey().pets.load([{ id: 9007199254740993n, name: 'Rex', categoryId: 1, chip: 'A7' }]);
      await page.getByRole('tab', { name: 'Pets' }).click();
      await page.getByLabel('Name of pet 9007199254740993').fill('<b>Max</b>');
      await page.keyboard.press('Enter');
      await becomes(
        () => mock.forKey().pets.list(),
        [{ id: 9007199254740993n, name: '<b>Max</b>', categoryId: 1n, chip: 'A7' }],
      );
      await page.getByLabel('Name of pet 9007199254740993').fill('Undone');
      await page.keyboard.press('Escape');
      await becomes(() => page.getByLabel('Name of pet 9007199254740993').inputValue(), '<b>Max</b>');
      await page.getByLabel('Name of the new pet').fill('Ada');
      await page.getByLabel('Category id of the new pet').fill('9007199254740995');
      await page.getByRole('button', { name: 'Add the new pet' }).click();
      await becomes(() => mock.forKey().pets.find(1), {
        ...{ id: 1n, name: 'Ada', categoryId: 9007199254740995n, status: 'available' },
      });
      await page.getByRole('button', { name: 'Remove pet 9007199254740993' }).click();
      await becomes(
        () =>
          mock
            .forKey()
            .pets.list()
            .map(({ name }) => name),
        ['Ada'],
      );
      expect(await page.locator('td b').count()).toBe(0);
    });

    test('shows a part of many pets, and filters them', async () => {
      mock.forKey().pets.load(
        Array.from({ length: 120 }, (_, index) => ({
          name: `Pet ${index}`,
          categoryId: 1,
          status: 'sold',
        })),
      );
      await open();
      await page.getByRole('tab', { name: 'Pets' }).click();
      await page.getByText('1–50 of 120 pets').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('51–100 of 120 pets').waitFor();
      await page.getByRole('button', { name: 'Previous' }).click();
      await page.getByRole('tabpanel').locator('select').selectOption('pending');
      await page.getByText('No pets').waitFor();
    });

    test('lists the DNS names with what is wrong with each, and copies a command', async () => {
      await open();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
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

    test('resets after a question', async () => {
      await open();
      send('POST', '/pets', { name: 'Rex', categoryId: 1 });
      await rows().waitFor();
      await page.getByRole('button', { name: 'Reset …' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect(mock.journal).toHaveLength(1);
      await page.getByRole('button', { name: 'Reset …' }).click();
      await page.getByRole('button', { name: 'Reset everything' }).click();
      await page.getByText('Requests appear here').waitFor();
      expect([mock.journal.length, mock.state().tenants[0]?.pets]).toEqual([0, 25]);
    });

    test('works with the keyboard alone', async () => {
      await open();
      for (const path of ['/pets/1', '/pets/2', '/pets/3']) send('GET', path);
      await rows().nth(2).waitFor();
      await page.getByRole('listbox').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await rows({ name: 'GET /pets/2', selected: true }).waitFor();
      await page.keyboard.press('End');
      await rows({ name: 'GET /pets/1', selected: true }).waitFor();
      const active = await page.getByRole('listbox').getAttribute('aria-activedescendant');
      expect(await page.locator(`#${String(active)}`).getAttribute('aria-posinset')).toBe('3');
      await page.getByRole('tab', { name: 'Requests' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name: 'Pets', selected: true }).waitFor();
      await page.getByRole('switch', { name: 'outage' }).focus();
      await page.keyboard.press('Space');
      await becomes(() => mock.state().faults.map(({ spec }) => spec), ['outage']);
    });

    test('keeps few rows in the document for 10,000 requests, and keeps the visible rows still', async () => {
      const fast = createMock({ plan: 'unlimited', journalMax: 20_000 });
      const own = await fast.listen();
      for (let count = 0; count < 10_000; count += 1)
        fast.handle(requestOf('GET', `/pets?limit=${String((count % 100) + 1)}`));
      ({ page, problems } = await openPage(browser, own.url));
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
      expect(problems).toEqual([]);
      await page.close();
      await own.close();
    }, 60_000);

    test('says that the journal no longer has an old request', async () => {
      const small = createMock({ journalMax: 1 });
      const own = await small.listen();
      ({ page, problems } = await openPage(browser, own.url));
      small.handle(requestOf('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } }));
      small.handle(requestOf('GET', '/pets'));
      await rows().nth(1).click();
      const detail = page.getByRole('article');
      await detail.getByText('"name": "Rex"').first().waitFor();
      await detail.getByText('No explanation: the mock has removed this request from its journal').waitFor();
      expect(await page.getByRole('alert').textContent()).toBe('');
      await rows().nth(0).click();
      await detail.getByText('The request counts in the minute window').waitFor();
      // Chromium itself reports the 404.
      expect(problems.splice(0).filter((problem) => !problem.includes('404'))).toEqual([]);
      // Before the server, because Chromium reports the end of its events.
      await page.close();
      await own.close();
    });

    test('text from outside is never markup', async () => {
      await open();
      const markup = '<img src=x onerror="document.title=1">';
      mock.handle({
        method: 'POST',
        url: `/v1/pets?name=${encodeURIComponent(markup)}&${markup}`,
        headers: {
          authorization: `Bearer ${String(KEYS[0])}`,
          'content-type': 'application/json',
          'x-note': markup,
        },
        body: JSON.stringify({ name: markup, categoryId: 1 }),
      });
      await rows().click();
      await page.getByRole('article').getByText('x-note').waitFor();
      await page.getByRole('tab', { name: 'Pets' }).click();
      const last = page.getByLabel(/^Name of pet/).last();
      await expect.poll(() => last.inputValue()).toBe(markup);
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.title()).toBe('Pet store mock');
    });

    test('shows a lost connection', async () => {
      const short = createMock();
      const own = await short.listen();
      ({ page, problems } = await openPage(browser, own.url));
      await own.close({ deadlineMs: 0 });
      await page.getByText('No connection to the mock').waitFor();
      await page.getByRole('button', { name: '+1 s', exact: true }).click();
      await page.getByText('The mock does not respond. Is it still running?').waitFor();
      problems = problems.filter((text) => !/ERR_/.test(text));
    });

    describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
      test.each([360, 1_920])(
        'axe reports nothing and nothing scrolls sideways at %i px',
        async (width) => {
          await open({ colorScheme, width, height: 900 });
          mock.setFaults(['slow:ms=1', { route: 'POST', action: 'reset' }]);
          for (let count = 0; count < 72; count += 1) send('GET', '/pets?limit=1');
          send('GET', `/pets/${'9'.repeat(300)}`, undefined, KEYS[1]);
          send('POST', '/pets', { name: 'Rex', categoryId: 1 }, KEYS[1]);
          await rows({ name: '429' }).first().click();
          await page.getByText('Why').waitFor();
          for (const tab of ['Requests', 'Pets', 'DNS names']) {
            await page.getByRole('tab', { name: tab }).click();
            await page.getByText('Parameters of slow').click();
            await page.getByRole('tabpanel').locator('.row, tbody tr').nth(1).waitFor();
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
            await page.evaluate(axe.source);
            const { violations } = (await page.evaluate('axe.run()')) as {
              violations: { id: string; nodes: { html: string }[] }[];
            };
            const found = violations.map(
              ({ id, nodes }) =>
                `${id}: ${nodes
                  .map(({ html }) => html.slice(0, 200))
                  .join(' ')
                  .slice(0, 900)}`,
            );
            expect(found, tab).toEqual([]);
          }
        },
        60_000,
      );
    });
  },
);
