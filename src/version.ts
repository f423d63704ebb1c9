declare const __PETSTORE_VERSION__: string;

/** Version of this package. tsup and vitest insert it from package.json at build time. */
export const VERSION: string = __PETSTORE_VERSION__;
