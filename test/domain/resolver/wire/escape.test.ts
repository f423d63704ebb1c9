import { expect, test } from 'vitest';
import { escapeLabel, escapeText } from '../../../../src/domain/resolver/wire/escape.js';

const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const label = (bytes: Buffer): string =>
  escapeLabel(Buffer.concat([every, bytes, every]), 256, 256 + bytes.length);

test('a label comes in lower case, and all but letters, digits and -_*/ as decimal escapes', () => {
  const kept = label(every).replace(/\\\d{3}/g, '');
  expect(kept).toBe('*-/0123456789abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz');
  expect(label(Buffer.from('a.B\\\x00\xc4\xff', 'latin1'))).toBe('a\\046b\\092\\000\\196\\255');
});

test('different labels that are not the same in lower case stay different', () => {
  const escaped = Array.from(every, (byte) => label(Buffer.from([byte])));
  expect(new Set(escaped).size).toBe(256 - 26);
});

test('text keeps printable ASCII but the backslash', () => {
  const kept = escapeText(every).replace(/\\\d{3}/g, '');
  expect(kept).toBe(every.subarray(0x20, 0x7f).toString('latin1').replace('\\', ''));
  expect(escapeText(Buffer.from('\x1b[31m "\\" \u00fc'))).toBe('\\027[31m "\\092" \\195\\188');
});
