import { describe } from 'vitest';
import { whyNoBrowser } from './browser.js';
import { testAccessibility } from './page/accessibility.js';
import { testClock } from './page/clock.js';
import { testConnection } from './page/connection.js';
import { testDnsNames } from './page/dns-names.js';
import { testFaults } from './page/faults.js';
import { testLimits } from './page/limits.js';
import { testManyRequests } from './page/many-requests.js';
import { testPets } from './page/pets.js';
import { testRequests } from './page/requests.js';
import { sharePage } from './page/shared-page.js';

const skipped = whyNoBrowser();

// In one file, so that one browser starts, whatever the number of workers.
describe.skipIf(skipped !== undefined)(
  `the page in Chromium${skipped === undefined ? '' : ` (${skipped})`}`,
  () => {
    const shared = sharePage();
    testRequests(shared);
    testManyRequests(shared);
    testLimits(shared);
    testClock(shared);
    testFaults(shared);
    testPets(shared);
    testDnsNames(shared);
    testConnection(shared);
    testAccessibility(shared);
  },
);
