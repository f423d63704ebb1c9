import { chromium, type Browser, type Page } from 'playwright-core';
import { findProgram } from '../../integration/programs.js';

/** Why Chromium can't be started; `undefined` if it can. */
export function whyNoBrowser(): string | undefined {
  if (process.platform !== 'linux') return 'they run on Linux only';
  if (findProgram('chromium') !== undefined) return undefined;
  return 'not installed: chromium; .ci/run fetches it, PETSTORE_TEST_BROWSER sets its path';
}

/** Starts Chromium, installed or unpacked from Debian's package. It gets no access to the network beyond loopback. */
export async function openBrowser(): Promise<Browser> {
  const program = findProgram('chromium');
  if (program === undefined) throw new Error('Chromium is not installed');
  const { path, libraryFolders } = program;
  // Debian's start script uses fixed paths of an installed package.
  const executablePath =
    libraryFolders.length === 0 ? path : path.replace(/bin\/chromium$/, 'lib/chromium/chromium');
  return chromium.launch({
    executablePath,
    // Chromium refuses its sandbox for root.
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    env: {
      ...(process.env as Record<string, string>),
      ...(libraryFolders.length === 0
        ? {}
        : {
            LD_LIBRARY_PATH: libraryFolders.join(':'),
            FONTCONFIG_SYSROOT: process.env.PETSTORE_TEST_BROWSER ?? '',
          }),
    },
  });
}

/** A page with the problems that it reported: failed requests, errors and warnings of the console. */
export interface WatchedPage {
  page: Page;
  problems: string[];
}

/** Opens the page of a mock, and waits until it is connected. */
export async function openPage(
  browser: Browser,
  url: string,
  { colorScheme = 'light', width = 1_280, height = 860 }: PageLook = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height } });
  const problems: string[] = [];
  page.on('console', (message) => {
    if (/^(?:error|warning)$/.test(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url());
  });
  await page.goto(`${url}/__mock/`);
  await page.getByText('Live', { exact: true }).waitFor();
  return { page, problems };
}

export interface PageLook {
  colorScheme?: 'light' | 'dark';
  width?: number;
  height?: number;
}
