import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createMock, type Mock, type MockServer } from '../../../../src/mock/index.js';
import { frozenClock, requestOf } from '../../send-request.js';
import { openBrowser } from '../browser.js';

/** The API keys of the mock, in the order of the page. */
export const KEYS = ['first-key', 'second-key'] as const;

/** The usual size of the window. */
export const VIEWPORT = { width: 1_280, height: 860 };

/** A mock with its page in Chromium. Each test starts with the initial state of both. */
export interface SharedPage {
  readonly mock: Mock;
  readonly server: MockServer;
  readonly page: Page;
  /** Failed requests, requests to other hosts, errors and warnings of the console. A test fails if some are left. */
  problems: string[];
  /**
   * Loads the page anew, waits until it is connected, and returns it.
   *
   * @param url URL of a mock.
   * @default the shared mock
   */
  open(url?: string): Promise<Page>;
  /** Leaves the page before its mock ends, because Chromium reports the end of its events. */
  leave(): Promise<void>;
  /** Sends a request to the mock. */
  send(method: string, path: string, body?: unknown, key?: string): void;
  /** The rows of the list of requests. */
  rows(options?: { name?: string; selected?: boolean }): Locator;
}

/** Opens one browser with one page for all tests, because each further page costs a second of CPU time. */
export function sharePage(): SharedPage {
  const mock = createMock({ keys: [...KEYS], clock: frozenClock });
  let server: MockServer;
  let browser: Browser;
  let page: Page;
  const shared: SharedPage = {
    mock,
    get server() {
      return server;
    },
    get page() {
      return page;
    },
    problems: [],
    async open(url = server.url) {
      await page.goto(`${url}/__mock/`);
      await page.getByText('Live', { exact: true }).waitFor();
      return page;
    },
    async leave() {
      await page.goto('about:blank');
    },
    send(method, path, body, key = KEYS[0]) {
      mock.handle(requestOf(method, path, { key, body }));
    },
    rows(options) {
      return page.getByRole('listbox').getByRole('option', options);
    },
  };

  beforeAll(async () => {
    server = await mock.listen({ dnsPort: 0 });
    browser = await openBrowser();
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: VIEWPORT,
    });
    page = await context.newPage();
    // Only a reload within a test keeps what the page showed. The page about:blank has no storage.
    await page.addInitScript(
      `if (location.protocol === 'http:' && performance.getEntriesByType('navigation')[0].type !== 'reload')
         sessionStorage.clear();`,
    );
    watch(page, shared);
  });
  afterEach(() => {
    mock.reset();
    expect(shared.problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    expect(shared.problems).toEqual([]);
  });
  return shared;
}

function watch(page: Page, shared: SharedPage): void {
  page.on('console', (message) => {
    if (/^(?:error|warning)$/.test(message.type())) shared.problems.push(message.text());
  });
  page.on('pageerror', (error) => shared.problems.push(error.message));
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== 'data:' && hostname !== '127.0.0.1') shared.problems.push(request.url());
  });
}

/** Waits until a value of the mock or the page is as expected. The page sends its change without a visible reply. */
export async function becomes(value: () => unknown, expected: unknown): Promise<void> {
  await expect.poll(value, { timeout: 30_000, interval: 20 }).toEqual(expected);
}
