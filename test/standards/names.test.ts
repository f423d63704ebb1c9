import { describe, expect, test } from 'vitest';
import { parseDomainName } from '../../src/domain/name/name.js';

const ascii = (input: string): string | undefined => {
  const parsed = parseDomainName(input);
  return parsed.ok ? parsed.name.ascii : undefined;
};

/** UTS #46, section 4: mapping, normalisation and validity. */
describe('UTS #46', () => {
  test.each([
    ['Bücher.example', 'xn--bcher-kva.example'],
    // Non-transitional processing keeps these four (section 4, "Processing").
    ['faß.example', 'xn--fa-hia.example'],
    ['βόλος.example', 'xn--nxasmm1c.example'],
    // U+1E9E maps to U+00DF (Unicode 15.1), not to "ss".
    ['FAẞ.example', 'xn--fa-hia.example'],
    // Ideographic, fullwidth and halfwidth full stops are dots.
    ['shop。example。com', 'shop.example.com'],
    ['shop．example．com', 'shop.example.com'],
    ['shop｡example｡com', 'shop.example.com'],
    ['ｓｈｏｐ.example.com', 'shop.example.com'],
    // Variation selectors and soft hyphens are ignored inside a label.
    ['sh\ufe0fop.example.com', 'shop.example.com'],
  ])('%j is %j', (input, expected) => {
    expect(ascii(input)).toBe(expected);
  });

  test.each([
    // Disallowed, although NFKC turns them into dots.
    ['U+2024 one dot leader', 'shop\u2024example.com'],
    ['U+2488 digit one full stop', 'shop\u2488example.com'],
    ['U+2026 ellipsis', 'shop\u2026example.com'],
    ['a label that is empty after mapping', 'shop.\ufe0f.example'],
    ['a label that starts with a combining mark', '\u0301a.example'],
    ['an unassigned code point', '\u0378.example'],
    ['Punycode of another label', 'xn--a.example'],
  ])('%s is rejected', (_name, input) => {
    expect(ascii(input)).toBeUndefined();
  });
});

/** RFC 5892, appendices A.1 and A.2. */
describe('CONTEXTJ', () => {
  test.each([
    ['ZWJ after a virama', '\u0dc1\u0dca\u200d\u0dbb\u0dd3.example', 'xn--10cl1a0b660p.example'],
    ['ZWNJ after a virama', '\u0915\u094d\u200c\u0937.example', 'xn--11b2ezcs70k.example'],
    [
      'ZWNJ between joining letters',
      '\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example',
      'xn--mgba3gch31f060k.example',
    ],
  ])('%s is kept', (_name, input, expected) => {
    const parsed = parseDomainName(input);
    expect(parsed).toMatchObject({ ok: true });
    const name = ascii(input) ?? '';
    // Another name than without the joiner.
    expect(name).not.toBe(ascii(input.replaceAll(/[\u200c\u200d]/g, '')));
    expect(name).toBe(expected);
  });

  test.each([
    ['ZWJ between Latin letters', 'sh\u200dop.example'],
    ['ZWNJ between Latin letters', 'sh\u200cop.example'],
    ['ZWJ at the start', '\u200dshop.example'],
    ['ZWNJ at the end', 'shop\u200c.example'],
  ])('%s is rejected', (_name, input) => {
    expect(ascii(input)).toBeUndefined();
  });
});
