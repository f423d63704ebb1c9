import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { registrableOf } from '../../../src/domain/names/name.js';
import { parseDomainName } from '../../../src/domain/request/parse-domain-name.js';
import { expectComplete } from '../rule-table.js';
import { runs } from '../../support/random-runs.js';
import { anyCharacter } from '../../support/any-character.js';

const LABEL_63 = 'a'.repeat(63);
const NAME_253 = `${'a'.repeat(61)}.${LABEL_63}.${LABEL_63}.${LABEL_63}`;

describe('valid names', () => {
  test.each([
    ['shop.example.com', 'shop.example.com', 'shop.example.com'],
    ['Shop.Example.COM.', 'shop.example.com', 'shop.example.com'],
    ['example.co.uk', 'example.co.uk', 'example.co.uk'],
    ['shop.example.test', 'shop.example.test', 'shop.example.test'],
    ['foo.github.io', 'foo.github.io', 'foo.github.io'],
    ['www.ck', 'www.ck', 'www.ck'],
    ['bücher.example', 'xn--bcher-kva.example', 'bücher.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example', 'bücher.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example', 'bücher.example'],
    // With a zero-width non-joiner, which would not be seen.
    ['xn--mgba3gch31f060k.example', 'xn--mgba3gch31f060k.example', 'xn--mgba3gch31f060k.example'],
    ['日本。jp', 'xn--wgv71a.jp', '日本.jp'],
    ['ｓｈｏｐ．example.com', 'shop.example.com', 'shop.example.com'],
    ['faß.example', 'xn--fa-hia.example', 'faß.example'],
    ['pаypal.example', 'xn--pypal-4ve.example', 'pаypal.example'],
    // Joiners after a virama, and between joining letters (RFC 5892, appendix A).
    ['क्\u200dष.example', 'xn--11b2ezcw70k.example', 'xn--11b2ezcw70k.example'],
    ['بی\u200cبی.example', 'xn--ngba50cb2343a.example', 'xn--ngba50cb2343a.example'],
    ['ܒ\u200cܒ.example', 'xn--cnba592q.example', 'xn--cnba592q.example'],
    // What mixes scripts, by who means it.
    ['xn--pypal-4ve.example', 'xn--pypal-4ve.example', 'pаypal.example'],
    ['日本のカフェ-tokyo.jp', 'xn---tokyo-9d4eiq9a99av490cehd.jp', '日本のカフェ-tokyo.jp'],
    ['r3---sn-4g5e.example.com', 'r3---sn-4g5e.example.com', 'r3---sn-4g5e.example.com'],
    [`${LABEL_63}.example.com`, `${LABEL_63}.example.com`, `${LABEL_63}.example.com`],
    [NAME_253, NAME_253, NAME_253],
    [`${NAME_253}.`, NAME_253, NAME_253],
  ])('%s', (input, ascii, unicode) => {
    expect(parseDomainName(input)).toEqual({ ok: true, name: { input, ascii, unicode } });
  });
});

describe('rejected, with a suggestion', () => {
  test.each([
    ['https://shop.example.com/', 'name.invalid', 'is a URL', 'shop.example.com'],
    ['https://user:pw@shop.example.com:8443/a?b#c', 'name.invalid', 'is a URL', 'shop.example.com'],
    ['//shop.example.com', 'name.invalid', 'is a URL', 'shop.example.com'],
    ['shop.example.com:443', 'name.invalid', 'contains a port', 'shop.example.com'],
    ['shop.example.com/cart', 'name.invalid', 'contains a path', 'shop.example.com'],
    ['shop.example.com?x', 'name.invalid', 'contains a path', 'shop.example.com'],
    ['shop.example.com\\x', 'name.invalid', 'contains a path', 'shop.example.com'],
    ['me@example.com', 'name.invalid', 'e-mail address', 'example.com'],
    ['mailto:me@example.com', 'name.invalid', 'e-mail address', 'example.com'],
    [' shop.example.com ', 'name.invalid', 'contains a space', 'shop.example.com'],
    ['.shop.example.com', 'name.invalid', 'empty label', 'shop.example.com'],
    ['shop..example.com', 'name.invalid', 'empty label', 'shop.example.com'],
    ['shop.example.com..', 'name.invalid', 'empty label', 'shop.example.com'],
    ['*.example.com', 'name.wildcard', 'is a wildcard', 'example.com'],
    ['shop.example.com\n', 'name.invalid', 'control', 'shop.example.com'],
    ['shop\u202e.example.com', 'name.invalid', 'control or invisible', 'shop.example.com'],
    ['shop\u200b.example.com', 'name.invalid', 'control or invisible', 'shop.example.com'],
    ['shop\\032.example.com', 'name.invalid', 'a backslash escape', 'shop.example.com'],
    ['sho\\112\\255.example.com', 'name.invalid', 'a backslash escape', 'shop.example.com'],
    ['a\u200cb.example', 'name.invalid', 'an invisible joiner', 'ab.example'],
    ['ab\u200d.example', 'name.invalid', 'an invisible joiner', 'ab.example'],
    // The first joiner is in its place, the second is not.
    ['क्\u200dष\u200dक.example', 'name.invalid', 'an invisible joiner', 'xn--11ba5hvdu96l.example'],
    ['ا\u200cب.example', 'name.invalid', 'an invisible joiner', 'اب.example'],
    ['ܐ\u200cܒ.example', 'name.invalid', 'an invisible joiner', 'ܐܒ.example'],
    ['https://بی\u200cبی.example/', 'name.invalid', 'is a URL', 'xn--ngba50cb2343a.example'],
    ['https://bücher.example/x', 'name.invalid', 'is a URL', 'bücher.example'],
  ])('%j', (input, id, words, suggestion) => {
    const parsed = parseDomainName(input);
    expect(parsed).toMatchObject({ ok: false, suggestion, finding: { id, axis: 'name', severity: 'block' } });
    expect(!parsed.ok && parsed.finding.message).toContain(words);
    expect(!parsed.ok && parsed.finding.fix?.text).toBe(`Did you mean "${suggestion}"?`);
  });
});

describe('rejected', () => {
  test.each<readonly [string, string, string]>([
    ['', 'name.invalid', 'is empty'],
    ['   ', 'name.invalid', 'is empty'],
    ['.', 'name.invalid', 'empty label'],
    ...[
      ...['192.0.2.1', '192.0.2.1.', '192.0.2.1:80', 'https://192.0.2.1/', '1.2.3', '１.2.3', '0x7f.1'],
      ...['2130706433', '2001:db8::1', '::1', 'fe80::1%eth0', '[2001:db8::1]', '[2001:db8::1]:443'],
      ...['http://[::1]:3000/x', 'shop.example.123'],
    ].map((input): [string, string, string] => [input, 'name.ip', 'is an IP address']),
    ['com', 'name.public-suffix', 'is a public suffix'],
    ['co.uk', 'name.public-suffix', 'is a public suffix'],
    ['CO.UK.', 'name.public-suffix', 'is a public suffix'],
    ['test', 'name.invalid', 'single label'],
    ['localhost', 'name.invalid', 'single label'],
    ['printer.local', 'name.invalid', 'ends with .local'],
    ['a*b.example.com', 'name.invalid', 'asterisk'],
    ['a.*.example.com', 'name.invalid', 'asterisk'],
    ['_dmarc.example.com', 'name.invalid', 'underscore'],
    ['shop_1.example.com', 'name.invalid', 'underscore'],
    ['-shop.example.com', 'name.invalid', 'hyphen'],
    ['shop-.example.com', 'name.invalid', 'hyphen'],
    ['shop.example.com-', 'name.invalid', 'hyphen'],
    ['shop,example.com', 'name.invalid', 'contains ","'],
    ['x%2ecom.example', 'name.invalid', 'contains "%"'],
    ['shop example.com', 'name.invalid', 'contains a space'],
    [`${'a'.repeat(64)}.example.com`, 'name.invalid', 'label of 64 characters'],
    [`${'ü'.repeat(60)}.example.com`, 'name.invalid', 'label of 6'],
    [`a${NAME_253}`, 'name.invalid', 'has 254 characters'],
    ['xn--a.example.com', 'name.invalid', 'valid'],
    ['xn--zz-.example.com', 'name.invalid', ''],
    // ZERO WIDTH NON-JOINER between Latin letters, in Punycode.
    ['xn--ab-j1t.example', 'name.invalid', 'international name'],
  ])('%j', (input, id, words) => {
    const parsed = parseDomainName(input);
    expect(parsed).toMatchObject({ ok: false, finding: { id, axis: 'name', severity: 'block' } });
    expect(parsed).not.toHaveProperty('suggestion');
    expect(!parsed.ok && parsed.finding.message).toContain(words);
    if (!parsed.ok) expectComplete(parsed.finding);
  });
});

test.each([
  ['https://ida:secret@example.com/x', '"https://…@example.com/x"'],
  ['//ida@example.com', '"//…@example.com"'],
  ['ida:se/cr?et@example.com', '"…@example.com"'],
  ['https://ida:s@e@c#ret@example.com', '"https://…@example.com"'],
  ['ida@example.com', '"ida@example.com"'],
])('%s: does not repeat a password', (input, shown) => {
  const parsed = parseDomainName(input);
  if (parsed.ok) throw new Error('it is no name');
  expect(parsed.finding.message).toContain(`${shown} `);
  expect(JSON.stringify(parsed)).not.toMatch(/secret|se\/cr|c#ret/);
});

describe('any input', () => {
  const typed = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.stringMatching(/^[a-zA-Z0-9.:/@*_%\\[\]ü。\u202e -]{0,80}$/u),
  );

  test('is a host name, or rejected with a printable message', () => {
    fc.assert(
      fc.property(typed, (input) => {
        const parsed = parseDomainName(input);
        if (!parsed.ok) {
          const { finding, suggestion } = parsed;
          expect([finding.message, finding.fix?.text, suggestion].join('')).not.toMatch(
            /[\p{C}\p{Zl}\p{Zp}]/u,
          );
          if (suggestion !== undefined) expect(parseDomainName(suggestion).ok).toBe(true);
          return;
        }
        const { ascii, unicode } = parsed.name;
        expect(ascii).toMatch(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}$/);
        expect(ascii.length).toBeLessThanOrEqual(253);
        expect(unicode).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        const again = parseDomainName(ascii);
        expect(again.ok && again.name.ascii).toBe(ascii);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

test('registrableOf returns the domain below the public suffix', () => {
  expect(registrableOf('a.shop.example.co.uk')).toBe('example.co.uk');
  expect(registrableOf('shop.example.com')).toBe('example.com');
  expect(registrableOf('a.shop.example.test')).toBe('example.test');
  // Private suffixes are zones like any other to the DNS.
  expect(registrableOf('me.github.io')).toBe('github.io');
  expect(registrableOf('co.uk')).toBe('co.uk');
});
