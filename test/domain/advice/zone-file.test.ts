import { expect, test } from 'vitest';
import { zoneFile } from '../../../src/domain/advice/zone-file.js';
import { WANTED } from '../facts-builder.js';

test('writes $ORIGIN for each zone, and values with a final dot', () => {
  const alias = { type: 'ALIAS', name: 'example.org', label: '@', value: 'cname.platform.test', ttl: 3600 };
  const caa = { type: 'CAA', name: 'example.org', label: '@', value: '0 issue "letsencrypt.org"', ttl: 3600 };
  expect(
    zoneFile([
      { zone: 'example.com', records: [WANTED] },
      { zone: 'example.org', records: [alias, caa] },
    ]),
  ).toBe(`$ORIGIN example.com.
shop 3600 IN CNAME cname.platform.test.

$ORIGIN example.org.
; ALIAS (or ANAME) is not standard DNS. If your provider supports it, remove the semicolon:
; @ 3600 IN ALIAS cname.platform.test.
@ 3600 IN CAA 0 issue "letsencrypt.org"
`);
});

test('escapes characters that would end a line or word', () => {
  const hostile = { type: 'CNAME\n', name: 'x', label: 'a b;\n@', value: 'x"\ny z\\059é' };
  expect(zoneFile([{ zone: 'example.com\n', records: [hostile] }])).toBe(
    '$ORIGIN example.com\\010.\na\\032b\\059\\010\\064 IN CNAME x\\034\\010y\\032z\\059\\195\\169.\n',
  );
});
