import type { Lookup } from './facts/lookup.js';
import type { DnsServer, QueryOptions, RecordType } from '../dns/dns.js';

/** Lookups that were made early. Each is used once, so that a later query for the same name is a new one. */
export interface SpareLookups {
  keep(lookup: Lookup): void;
  take(server: DnsServer, name: string, type: RecordType): Lookup | undefined;
}

/** Caches asynchronous values of several kinds, including those that are still pending. */
export interface Memo<Kinds> {
  get<Kind extends keyof Kinds>(
    kind: Kind,
    key: string,
    make: () => Promise<Kinds[Kind]>,
  ): Promise<Kinds[Kind]>;
}

/** Values of each kind that a memo holds at most. */
const MEMO_MAX = 4_096;

/**
 * Creates a memo of at most `sizeMax` values of each kind. Drops the oldest first, because domains of the same zone are
 * mostly adjacent in a list.
 */
export function createMemo<Kinds>(sizeMax = MEMO_MAX): Memo<Kinds> {
  const byKind: { [Kind in keyof Kinds]?: Map<string, Promise<Kinds[Kind]>> } = {};
  return {
    get(kind, key, make) {
      const values = (byKind[kind] ??= new Map<string, ReturnType<typeof make>>());
      const known = values.get(key);
      if (known !== undefined) return known;
      const value = make();
      values.set(key, value);
      if (values.size > sizeMax) for (const oldest of [...values.keys()].slice(0, 1)) values.delete(oldest);
      return value;
    },
  };
}

export function createSpareLookups(): SpareLookups {
  const lookups = new Map<string, Lookup>();
  const keyOf = (server: DnsServer, name: string, type: string): string =>
    `${serverKey(server)} ${type} ${name}`;
  return {
    keep(lookup) {
      if (lookups.size >= MEMO_MAX) lookups.clear();
      lookups.set(keyOf(lookup.server, lookup.question.name, lookup.question.type), lookup);
    },
    take(server, name, type) {
      const key = keyOf(server, name, type);
      const lookup = lookups.get(key);
      lookups.delete(key);
      return lookup;
    },
  };
}

/** Queries an authoritative server. */
type SendQuery = (
  server: DnsServer,
  name: string,
  type: RecordType,
  flags?: Pick<QueryOptions, 'dnssec' | 'onSlow'>,
) => Promise<Lookup>;

/** Queries that were sent before their result is needed. Each result is used once: a later query is a new one. */
export interface StartedQueries {
  start(send: SendQuery, ...query: Parameters<SendQuery>): void;
  /** The result of a started query. `undefined` if there is none. */
  take(...query: Parameters<SendQuery>): Promise<Lookup> | undefined;
}

export function createStartedQueries(): StartedQueries {
  const started = new Map<string, (onSlow?: () => void) => Promise<Lookup>>();
  const keyOf = (
    server: DnsServer,
    name: string,
    type: RecordType,
    { dnssec }: Pick<QueryOptions, 'dnssec'>,
  ): string => `${serverKey(server)} ${type} ${name} ${String(dnssec)}`;
  return {
    start(send, server, name, type, flags = {}) {
      const key = keyOf(server, name, type, flags);
      if (started.has(key)) return;
      if (started.size >= MEMO_MAX) started.clear();
      let isSlow = false;
      let whenSlow: (() => void) | undefined;
      const onSlow = (): void => {
        isSlow = true;
        whenSlow?.();
      };
      const lookup = send(server, name, type, { ...flags, onSlow });
      started.set(key, (given) => {
        whenSlow = given;
        if (isSlow) given?.();
        return lookup;
      });
    },
    take(server, name, type, flags = {}) {
      if (started.size === 0) return undefined;
      const key = keyOf(server, name, type, flags);
      const join = started.get(key);
      started.delete(key);
      return join?.(flags.onSlow);
    },
  };
}

/** A key of a server's address and port. */
export function serverKey({ address, port }: DnsServer): string {
  return `${address} ${String(port)}`;
}
