import { expect } from 'vitest';
import type { Exploration } from './explore.js';

/** Compares the shortest trace to each seeded error with a file: one step a line, and then the broken property. */
export async function expectTraces(
  file: string,
  errors: readonly (readonly [name: string, explore: () => Promise<Exploration>])[],
): Promise<void> {
  const traces: string[] = [];
  for (const [name, explore] of errors) {
    const { trace = ['not found'] } = await explore();
    traces.push([`${name}:`, ...trace].join('\n  '));
  }
  await expect(`${traces.join('\n\n')}\n`).toMatchFileSnapshot(file);
}
