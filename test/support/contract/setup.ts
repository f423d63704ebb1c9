import { afterEach } from 'vitest';
import { configureProperties, IS_FULL } from '../random-runs.js';
import { deviations } from './deviations.js';

await configureProperties();
// `.ci/run` uses what Node creates.
if (!IS_FULL) await import('./parsed-authorities.js');

afterEach(() => {
  const found = deviations.splice(0);
  if (found.length > 0) throw new Error(`An exchange deviates from openapi.json:\n${found.join('\n')}`);
});
