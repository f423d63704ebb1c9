// Imports a file with the library in its own process, so that a test can kill it: node import-pets-child.mjs ENTRY INPUT.
const [, , entry, path] = process.argv;
const { createPetStore } = await import(entry);
const { importPets } = await import(new URL('bulk/index.js', entry).href);

const { PETSTORE_API_KEY: apiKey, PETSTORE_BASE_URL: baseUrl } = process.env;
const store = createPetStore({ apiKey, baseUrl });
await importPets(store, path, { onUnknown: 'skip' });
await store.close();
