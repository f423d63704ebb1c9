import { afterEach } from 'vitest';
import { deviations } from './deviations.js';

afterEach(() => {
  const found = deviations.splice(0);
  if (found.length > 0) throw new Error(`An exchange deviates from openapi.json:\n${found.join('\n')}`);
});
