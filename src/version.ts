declare const __PETSTORE_VERSION__: string;

/** The version of this package. tsup and vitest put in what package.json says, so that nothing is read at run time. */
export const VERSION: string = __PETSTORE_VERSION__;
