import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
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
  // apt-get downloads no package that is installed, so the fonts can be here or on the machine.
  const unpacked = process.env.PETSTORE_TEST_BROWSER ?? '';
  const hasFonts = existsSync(join(unpacked, 'usr/share/fonts'));
  return chromium.launch({
    executablePath,
    // Chromium refuses its sandbox for root.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // One process shows all pages: a further one costs half a second of CPU time.
      '--disable-site-isolation-trials',
      '--renderer-process-limit=1',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
    env: {
      ...(process.env as Record<string, string>),
      ...(libraryFolders.length === 0
        ? {}
        : {
            LD_LIBRARY_PATH: libraryFolders.join(':'),
            ...(hasFonts && { FONTCONFIG_SYSROOT: unpacked }),
          }),
    },
  });
}
