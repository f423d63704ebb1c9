const { process } = globalThis as { process?: Partial<NodeJS.Process> };

/** Whether this runtime has the modules of Node.js. Bun, Deno and some edge runtimes have them. */
export const HAS_NODE_MODULES: boolean = process?.getBuiltinModule?.('node:fs') !== undefined;

/**
 * Returns a module of Node.js. Not imported, so that the library also loads in runtimes without these modules. There the
 * result is `undefined`, and features that need a module check {@link HAS_NODE_MODULES} first.
 */
export const nodeModule = ((name: string) =>
  process?.getBuiltinModule?.(name)) as NodeJS.Process['getBuiltinModule'];
