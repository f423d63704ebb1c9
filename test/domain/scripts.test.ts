import { expect, test } from 'vitest';
import { mixedScriptLabel } from '../../src/domain/scripts.js';

test.each([
  ['bücher.example', undefined],
  ['日本のカフェ-tokyo.example', undefined],
  ['한국-korea.example', undefined],
  ['пример.example', undefined],
  ['παράδειγμα.example', undefined],
  ['pаypal.example', 'pаypal'],
  ['shop.gοοgle.example', 'gοοgle'],
  ['кафеラ.example', 'кафеラ'],
  ['сосо.example', 'сосо'],
  ['2026-11.example', undefined],
])('%s', (name, expected) => expect(mixedScriptLabel(name)).toBe(expected));
