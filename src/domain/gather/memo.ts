import type { Lookup } from '../facts/lookup.js';
import type { DnsServer, RecordType } from '../resolver/dns.js';

/** Lookups that were made early. Each is used once, so that a later query for the same name is a new one. */
export interface SpareLookups {
  keep(lookup: Lookup): void;
  take(server: DnsServer, name: string, type: RecordType): Lookup | undefined;
}

/** Caches asynchronous values, including those that are still pending. */
export interface Memo<T> {
  get(key: string, make: () => Promise<T>): Promise<T>;
}

/** Values that each memo of a context holds at most. */
export const MEMO_MAX = 4_096;

/**
 * Creates a memo of at most `sizeMax` values. Drops the oldest first, because domains of the same zone are
 * mostly adjacent in a list.
 */
export function createMemo<T>(sizeMax: number): Memo<T> {
  const values = new Map<string, Promise<T>>();
  return {
    get(key, make) {
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

/** A key of a server's address and port. */
export function serverKey({ address, port }: DnsServer): string {
  return `${address} ${String(port)}`;
}
