import { afterEach } from 'vitest';
import { configureProperties } from '../random-runs.js';
import { deviations } from './deviations.js';

await configureProperties();

afterEach(() => {
  const found = deviations.splice(0);
  if (found.length > 0) throw new Error(`An exchange deviates from openapi.json:\n${found.join('\n')}`);
});
