import { expect, test } from 'vitest';
import { createMock } from '../../../../src/mock/index.js';
import { requestOf } from '../../send-request.js';
import { becomes, KEYS, type SharedPage } from './shared-page.js';

/** The list of requests and the details of one. */
export function testRequests(shared: SharedPage): void {
  const { mock, open, rows, send } = shared;

  test('the first screen shows how to make a request, and makes one', async () => {
    const own = await createMock().listen();
    const page = await open(own.url);
    await page.getByText(`export PETSTORE_BASE_URL=${own.baseUrl} PETSTORE_API_KEY=mock-key`).waitFor();
    await page.getByRole('button', { name: 'Create a pet' }).click();
    await rows({ name: 'POST /pets 201' }).waitFor();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('delete');
    await page.getByText('No request matches.').waitFor();
    await shared.leave();
    await own.close();
  });

  test('the first screen shows no key that the mock was given', async () => {
    const page = await open();
    await page.getByText('PETSTORE_API_KEY=KEY').waitFor();
    await page.getByRole('button', { name: 'List pets without a key' }).click();
    await rows({ name: 'GET /pets 401' }).waitFor();
    // Chromium itself reports the 401.
    shared.problems = shared.problems.filter((problem) => !problem.includes('401'));
  });

  test('shows requests as they arrive, with headers, body and the reason', async () => {
    const page = await open();
    send('POST', '/pets', { name: 'Rex', categoryId: 1 });
    await rows({ name: 'POST /pets 201' }).click();
    const detail = page.getByRole('article');
    await detail.getByText('Bearer [redacted]').waitFor();
    await detail.getByText('"name": "Rex"').first().waitFor();
    await detail.getByText('x-ratelimit-remaining').waitFor();
    await detail.getByText('The request counts in the minute window').waitFor();
    expect(await page.content()).not.toContain(KEYS[0]);
    await detail.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
    await page.getByRole('listbox').and(page.locator(':focus')).waitFor();
    expect(mock.journal).toHaveLength(1);
  });

  test('shows what it showed after a reload, with the responses', async () => {
    const page = await open();
    for (const key of KEYS) send('POST', '/pets', { name: 'Rex', categoryId: 1 }, key);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('2');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('post');
    await rows({ name: 'POST /pets 201' }).click();
    await page.reload();
    await rows({ name: 'POST /pets 201', selected: true }).waitFor();
    await page.getByRole('article').getByText('Response body').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Filter' }).inputValue()).toBe('post');
    expect(await page.getByRole('combobox', { name: 'Show' }).inputValue()).toBe('2');
    mock.reset();
    await page.getByText('Requests appear here').waitFor();
    await page.getByRole('article').waitFor({ state: 'detached' });
  });

  test('shows an aborted request as aborted', async () => {
    const page = await open();
    const { server } = shared;
    mock.setFaults(['slow:ms=60000']);
    const controller = new AbortController();
    const headers = { authorization: `Bearer ${KEYS[0]}` };
    const response = fetch(`${server.baseUrl}/pets`, { headers, signal: controller.signal });
    await rows({ name: 'GET /pets 200' }).click();
    controller.abort();
    await expect(response).rejects.toThrow('aborted');
    await rows({ name: 'GET /pets aborted' }).waitFor();
    await page.getByText('The connection closed before the response (200) was sent.').waitFor();
    const isCut =
      'document.querySelector(".rows .status").scrollWidth > document.querySelector(".rows .status").clientWidth';
    expect(await page.evaluate(isCut)).toBe(false);
  });

  test('copies a request as curl, with the key as a variable', async () => {
    const page = await open();
    const { server } = shared;
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
    const page = await open();
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

  test('works with the keyboard alone', async () => {
    const page = await open();
    for (const path of ['/pets/1', '/pets/2', '/pets/3']) send('GET', path);
    await rows().nth(2).waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await rows({ name: 'GET /pets/2', selected: true }).waitFor();
    await page.keyboard.press('End');
    await rows({ name: 'GET /pets/1', selected: true }).waitFor();
    const active = await page.getByRole('listbox').getAttribute('aria-activedescendant');
    expect(await page.locator(`#${String(active)}`).innerText()).toContain('/pets/1');
    await page.getByRole('tab', { name: 'Requests' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Pets', selected: true }).waitFor();
    await page.getByRole('switch', { name: 'outage' }).focus();
    await page.keyboard.press('Space');
    await becomes(() => mock.state().faults.map(({ spec }) => spec), ['outage']);
  });

  test('text from outside is never markup', async () => {
    const page = await open();
    const markup = '<img src=x onerror="document.title=1">';
    mock.handle({
      method: 'POST',
      url: `/v1/pets?name=${encodeURIComponent(markup)}&${markup}`,
      headers: {
        authorization: `Bearer ${KEYS[0]}`,
        'content-type': 'application/json',
        'x-note': markup,
      },
      body: JSON.stringify({ name: markup, categoryId: 1 }),
    });
    await rows().click();
    await page.getByRole('article').getByText('x-note').waitFor();
    await page.getByRole('tab', { name: 'Pets' }).click();
    const last = page.getByLabel(/^Name of pet/).last();
    await becomes(() => last.inputValue(), markup);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Pet store mock');
  });

  test('says that the journal no longer has an old request', async () => {
    const small = createMock({ journalMax: 1 });
    const own = await small.listen();
    const page = await open(own.url);
    small.handle(requestOf('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } }));
    small.handle(requestOf('GET', '/pets'));
    await rows().nth(1).click();
    const detail = page.getByRole('article');
    await detail.getByText('"name": "Rex"').first().waitFor();
    await detail.getByText('No explanation: the journal of the mock no longer has this request.').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('');
    await rows().nth(0).click();
    await detail.getByText('The request counts in the minute window').waitFor();
    await shared.leave();
    await own.close();
    // Chromium itself reports the 404.
    shared.problems = shared.problems.filter((problem) => !problem.includes('404'));
  });
}
