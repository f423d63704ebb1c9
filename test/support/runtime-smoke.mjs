// Uses each part of the package by name. test/other-runtimes.test.ts runs it in Bun and Deno.
import { createPetStore, fileGate, isPetStoreError, stringifyJson } from 'petstore';
import { importPets } from 'petstore/bulk';
import { checkDomain } from 'petstore/domain';
import { createMock } from 'petstore/mock';

const [, , folder] = process.argv;
/** Describes the error of a library call. */
const errorOf = async (call) => {
  try {
    await call();
    return undefined;
  } catch (error) {
    const { type, hint, outcome, stack } = error;
    return {
      isOwn: isPetStoreError(error),
      type,
      hint,
      outcome,
      namesCaller: stack.includes('runtime-smoke'),
    };
  }
};

const apiKey = 'a-key-of-the-smoke-test';
const mock = createMock({ keys: [apiKey], plan: 'unlimited' });
const server = await mock.listen({ port: 0, dnsPort: 0, web: {} });
const client = { apiKey, baseUrl: server.baseUrl, onWarning: () => {} };
const store = createPetStore(client);
const created = await store.pets.create({ name: 'Ида', categoryId: 9007199254740993n, status: 'pending' });

const journal = `${folder}/pets.journal`;
const rows = [1n, 2n].map((categoryId) => ({ name: 'Rex', categoryId }));
const imports = [];
const importError = await errorOf(async () => {
  for (const attempt of [1, 2]) imports.push({ attempt, ...(await importPets(store, rows, { journal })) });
});

const port = server.dns.port;
let state;
const domainError = await errorOf(async () => {
  const report = await checkDomain(
    {
      domain: 'shop.example.test',
      target: 'cname.platform.test',
      probe: { ca: server.web.authority },
    },
    { resolvers: [`127.0.0.1:${port}`], authoritativePort: port, route: server.web.route },
  );
  state = report.state;
});

const gateError = await errorOf(() => fileGate());
const dispatcherError = await errorOf(async () => {
  const { EnvHttpProxyAgent } = await import('undici');
  createPetStore({ ...client, dispatcher: new EnvHttpProxyAgent() });
});
const wrongKey = await errorOf(() => createPetStore({ ...client, apiKey: 'wrong' }).pets.list());
const posting = { retry: { attemptsMax: 1 }, fetch: globalThis.fetch };
const lost = createMock({ keys: [apiKey], faults: ['lost-write'] });
const lostServer = await lost.listen({ port: 0 });
const lostPost = await errorOf(() =>
  createPetStore({ ...client, ...posting, baseUrl: lostServer.baseUrl }).pets.create({
    name: 'Rex',
    categoryId: 1,
  }),
);
await lostServer.close();
// The port is closed now.
const refusedPost = await errorOf(() =>
  createPetStore({ ...client, ...posting, baseUrl: lostServer.baseUrl }).pets.create({
    name: 'Rex',
    categoryId: 1,
  }),
);

await store.close();
await server.close();
const counts = imports.map(({ created: made, alreadyDone }) => ({ created: made, alreadyDone }));
process.stdout.write(
  stringifyJson({
    created,
    counts,
    importError,
    state,
    domainError,
    gateError,
    dispatcherError,
    wrongKey,
    lostPost,
    refusedPost,
  }),
);
