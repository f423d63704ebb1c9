import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createPetStore } from '../../../src/index.js';
import { REDACTED, redactCause } from '../../../src/client/response/redaction.js';
import { createRedactor } from '../../../src/security/redact-secret.js';

const KEY = 'sk-1234567890abcdef';
const redacted = (cause: unknown): unknown => redactCause(cause, createRedactor(KEY));

/** What loggers read: what inspect and JSON show, and what a walk of causes and inner errors finds. */
function textsOf(value: unknown, depth = 0): string[] {
  const texts = [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    read(() => JSON.stringify(value)),
  ];
  texts.push(inspect(value, { depth: 20, customInspect: false }));
  if (typeof value !== 'object' || value === null || depth > 20) return texts.map(String);
  const { message, stack, name, cause, errors } = value as Error & { errors?: unknown };
  const inner = Array.isArray(errors) ? errors.slice(0, 200) : [errors];
  return [
    ...texts,
    message,
    stack,
    name,
    ...[cause, ...inner].flatMap((each) => textsOf(each, depth + 1)),
  ].map(String);
}

function read(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return '';
  }
}

const accessor = (name: string, get: () => unknown, enumerable = false): Error =>
  Object.defineProperty(new Error('failed'), name, { get, enumerable, configurable: true });
const withKey = (): Error => new Error(`header Bearer ${KEY}`);

class Inherited extends Error {
  override get cause(): unknown {
    return withKey();
  }
}
class InheritedErrors extends Error {
  get errors(): unknown {
    return [withKey()];
  }
}
class Printed extends Error {
  key = KEY;
  [inspect.custom](): string {
    return 'nothing to see';
  }
}

const stateful = (): Error => {
  let reads = 0;
  return accessor('cause', () => ((reads += 1) > 1 ? withKey() : undefined));
};
const cyclic = new AggregateError([], 'all failed');
cyclic.errors.push(cyclic, withKey());

describe('a cause shows no key', () => {
  test.each<[string, unknown]>([
    ['in an accessor of its cause', accessor('cause', withKey)],
    ['in an accessor of its cause that returns a text', accessor('cause', () => KEY)],
    ['in an accessor that is harmless at first', stateful()],
    ['in an inherited accessor of its cause', new Inherited('failed')],
    ['in inherited inner errors', new InheritedErrors('failed')],
    ['in its inner errors', new AggregateError([new Error('a'), withKey()], 'all failed')],
    ['deep in its inner errors', new AggregateError([new AggregateError([new Inherited('x')])])],
    ['in an accessor of its inner errors', accessor('errors', () => [withKey()])],
    ['in inner errors that are a generator', Object.assign(new Error('x'), { errors: [withKey()].values() })],
    ['in very many inner errors', new AggregateError([...Array<Error>(1e5).fill(new Error('x')), withKey()])],
    ['in a circle', cyclic],
    ['in an enumerable accessor', accessor('request', () => ({ authorization: `Bearer ${KEY}` }), true)],
    ['in toJSON', Object.assign(new Error('x'), { toJSON: () => ({ key: KEY }) })],
    ['in a property with a symbol', Object.assign(new Error('x'), { [Symbol('s')]: KEY })],
    ['in a map', Object.assign(new Error('x'), { headers: new Map([['authorization', KEY]]) })],
    ['in a set', Object.assign(new Error('x'), { keys: new Set([KEY]) })],
    ['in bytes', Object.assign(new Error('x'), { sent: Buffer.from(KEY) })],
    ['in a property that its own inspect leaves out', new Printed('x')],
    ['in a stack that is not enumerable', Object.defineProperty(new Error('x'), 'stack', { value: KEY })],
    ['in a proxy', new Proxy(new Error('x'), { get: (_, name) => (name === 'message' ? KEY : undefined) })],
    ['in a proxy as its cause', new Error('x', { cause: new Proxy({}, { get: () => KEY }) })],
    ['in a frozen error', Object.freeze(withKey())],
    ['as text', `Bearer ${KEY}`],
    ['in a plain object', { headers: { authorization: KEY } }],
    ['in a function', Object.assign(() => KEY, { key: KEY })],
  ])('%s', (_, cause) => {
    expect(textsOf(redacted(cause)).join('\n')).not.toContain(KEY);
  });

  test.each<[string, Error]>([
    [
      'an accessor',
      accessor('cause', () => {
        throw withKey();
      }),
    ],
    [
      'an accessor of the message',
      accessor('message', () => {
        throw withKey();
      }),
    ],
    [
      'a proxy',
      new Proxy(new Error('x'), {
        get() {
          throw withKey();
        },
        getPrototypeOf() {
          throw withKey();
        },
      }),
    ],
    [
      'toJSON',
      Object.assign(new Error('x'), {
        toJSON() {
          throw withKey();
        },
      }),
    ],
  ])('if %s throws', (_, cause) => {
    expect(textsOf(redacted(cause)).join('\n')).not.toContain(KEY);
  });
});

test('inner errors and the cause stay readable', () => {
  const inner = Object.assign(withKey(), { code: 'ECONNREFUSED' });
  expect(redacted(new AggregateError([inner, new Error('plain')], 'all failed'))).toMatchObject({
    message: 'all failed',
    errors: [{ message: `header Bearer ${REDACTED}`, code: 'ECONNREFUSED' }, { message: 'plain' }],
  });
  expect(redacted(accessor('cause', withKey))).toMatchObject({
    message: 'failed',
    cause: { message: `header Bearer ${REDACTED}` },
  });
});

test.each<[string, unknown]>([
  ['an error with causes', new Error('x', { cause: new AggregateError([new Error('a')], 'all') })],
  ['the reason of an aborted signal', AbortSignal.abort().reason],
  ['an error of the system', read(() => createRequire(import.meta.url)('./missing.js')) ?? new Error('x')],
  [
    'an error with a class',
    new (class Stopped extends Error {
      by = 'ida';
    })('x'),
  ],
  ['an object', { reason: 'stopped' }],
  ['null', null],
  ['a number', 7],
])('%s without the key is the same', (_, cause) => {
  expect(redacted(cause)).toBe(cause);
});

test('an error of a transport with an accessor shows no key', async () => {
  const store = createPetStore({
    apiKey: KEY,
    baseUrl: 'https://pets.test/v1',
    retry: { attemptsMax: 1 },
    fetch: () => Promise.reject(new AggregateError([new Inherited('a')], 'all failed')),
  });
  const error: unknown = await store.pets.list().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ type: 'connection' });
  expect(textsOf(error).join('\n')).not.toContain(KEY);
});
