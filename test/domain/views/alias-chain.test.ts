import { expect, test } from 'vitest';
import { aliasChain } from '../../../src/domain/views/alias-chain.js';
import { buildApexFacts, buildFacts, buildServer, cname, NAME, throughAlias } from '../facts-builder.js';

const step = (from: string, to: string) => ({ from, to, ttl: 60 });
const nearby = (...chain: ReturnType<typeof step>[]) => ({ ...buildFacts().relatedNames, chain });

test('is the followed chain', () => {
  const steps = [step(NAME, 'a.example.com'), step('a.example.com', 'b.example.com')];
  expect(aliasChain(buildFacts({ relatedNames: nearby(...steps) }))).toEqual({ steps });
});

test('comes from the responses if it was not followed', () => {
  const servers = [buildServer(1, { a: throughAlias(cname(NAME, 'a.example.com', 60)) })];
  expect(aliasChain(buildFacts({ servers, relatedNames: nearby() })).steps).toEqual([
    { ...step(NAME, 'a.example.com'), server: servers[0]?.server },
  ]);
});

test('is empty without an alias', () => expect(aliasChain(buildApexFacts())).toEqual({ steps: [] }));

test('finds a loop, ignoring case', () => {
  const facts = buildFacts({
    relatedNames: nearby(step(NAME, 'a.example.com'), step('A.example.com', 'Shop.example.com')),
  });
  expect(aliasChain(facts).loop).toEqual([NAME, 'a.example.com', NAME]);
});
