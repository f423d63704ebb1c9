// Imports the package by name, as an application does. test/runtimes.test.ts runs it on every supported Node.
import { createPetStore, stringifyJson } from 'petstore';
import { createMock } from 'petstore/mock';

const apiKey = 'a-key-of-the-smoke-test';
const mock = createMock({ keys: [apiKey] });
const server = await mock.listen({ port: 0 });

/** Lists, creates and gets pets. @param undici the name of an undici package, whose dispatcher the library uses. */
async function use(undici) {
  const agent = undici === undefined ? undefined : new (await import(undici)).Agent();
  let dispatched = 0;
  const dispatcher = agent && {
    dispatch: (...args) => {
      dispatched += 1;
      return agent.dispatch(...args);
    },
  };
  const store = createPetStore({ apiKey, baseUrl: server.baseUrl, dispatcher, onWarning: () => {} });
  const listed = await store.pets.list({ limit: 5 });
  const created = await store.pets.create({ name: 'Ида', categoryId: 9007199254740993n, status: 'pending' });
  const got = await store.pets.get(created.id);
  await store.close();
  await agent?.close();
  process.stdout.write(`${stringifyJson({ listed: listed.length, created, got, dispatched })}\n`);
}

// First without a dispatcher.
for (const undici of [undefined, ...process.argv.slice(2)]) await use(undici);
await server.close();
