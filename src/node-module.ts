/**
 * Returns a module of Node.js. Not imported, so that the library also loads in runtimes without these modules. There the
 * result is `undefined`, and features that need a module check {@link HAS_NODE_MODULES} first.
 */
export const nodeModule = ((name: string) => {
  try {
    return (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.(name);
  } catch {
    // The edge runtime of Next has the function, which throws.
    return undefined;
  }
}) as NodeJS.Process['getBuiltinModule'];

/** Whether this runtime has the modules of Node.js. Bun, Deno and some edge runtimes have them. */
export const HAS_NODE_MODULES: boolean = (nodeModule('node:fs') as unknown) !== undefined;
