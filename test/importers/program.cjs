// A CommonJS program of an importer: lists one pet of the mock, over HTTP.
const { createPetStore } = require('petstore');
const { createMock } = require('petstore/mock');
const { planRecords } = require('petstore/domain');

async function main() {
  const mock = createMock({ seed: 1 });
  const server = await mock.listen();
  const store = createPetStore({ apiKey: mock.keys[0], baseUrl: server.baseUrl });
  console.log((await store.pets.list({ limit: 1 })).length, typeof planRecords);
  await store.close();
  await server.close();
}
main();
