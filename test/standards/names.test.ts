import { expect, test } from 'vitest';
import { parseDomainName } from '../../src/domain/request/parse-domain-name.js';

const ascii = (input: string): string | undefined => {
  const parsed = parseDomainName(input);
  return parsed.ok ? parsed.name.ascii : undefined;
};

/** UTS #46, section 4: mapping, normalisation and validity. */
test.each([
  // Non-transitional processing keeps these four (section 4, "Processing").
  ['βόλος.example', 'xn--nxasmm1c.example'],
  // U+1E9E maps to U+00DF (Unicode 15.1), not to "ss".
  ['FAẞ.example', 'xn--fa-hia.example'],
  // Ideographic, fullwidth and halfwidth full stops are dots.
  ['shop。example。com', 'shop.example.com'],
  ['shop．example．com', 'shop.example.com'],
  ['shop｡example｡com', 'shop.example.com'],
  // Variation selectors and soft hyphens are ignored inside a label.
  ['sh\ufe0fop.example.com', 'shop.example.com'],
])('UTS #46: %j is %j', (input, expected) => {
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
])('UTS #46: %s is rejected', (_name, input) => {
  expect(ascii(input)).toBeUndefined();
});
