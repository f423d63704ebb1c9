import { expect, test } from 'vitest';
import { registrableOf } from '../../src/domain/names/name.js';
import { parseDomainName } from '../../src/domain/request/parse-domain-name.js';
import { recordLabel } from '../../src/domain/advice/expected.js';
import { below, corpus, fuzz, oneOf, type Random } from '../support/random-runs.js';

/** Public suffixes, with the number of labels that a registrable name adds. 0: an exception of a wildcard rule. */
const SUFFIXES = Object.entries(corpus<number>('public-suffixes'));
const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789-_', ...'äéßяжحمكन日本한'];

function label(random: Random): string {
  for (;;) {
    const text = Array.from({ length: 1 + below(random, 12) }, () => oneOf(random, CHARACTERS)).join('');
    const parsed = parseDomainName(`${text}.example.test`);
    if (parsed.ok && parsed.name.ascii.split('.').length === 3) return parsed.name.ascii.split('.')[0]!;
  }
}

test('a record label and its zone make the name, for every suffix', async () => {
  await fuzz(400, (random) => {
    const [suffix, own] = oneOf(random, SUFFIXES);
    const registrable = [...Array.from({ length: own }, () => label(random)), suffix].join('.');
    const more = Array.from({ length: below(random, 4) }, () => label(random));
    const name = [...more, registrable].join('.');
    if (name.length > 253) return;
    expect(registrableOf(name), name).toBe(registrable);
    // The zone can be any part of the name.
    for (let depth = 0; depth <= more.length; depth += 1) {
      const zone = [...more.slice(depth), registrable].join('.');
      expect(recordLabel(name, zone), `${name} in ${zone}`).toBe(
        depth === 0 ? '@' : more.slice(0, depth).join('.'),
      );
    }
    // A name that only ends with the same letters is not in the zone.
    expect(recordLabel(`x${name}`, name)).toBe(`x${name}`);
  });
});
