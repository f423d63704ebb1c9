import { expect, test } from 'vitest';
import { terraform } from '../../../src/domain/advice/terraform.js';
import { WANTED } from '../facts-builder.js';

test('a CNAME is a resource of the provider hashicorp/dns', () => {
  expect(
    terraform([{ zone: 'example.com', records: [WANTED, { ...WANTED, name: '2.example.com', label: '2' }] }]),
  ).toBe(
    `resource "dns_cname_record" "shop_example_com" {
  zone  = "example.com."
  name  = "shop"
  cname = "cname.platform.test."
  ttl   = 3600
}

resource "dns_cname_record" "_2_example_com" {
  zone  = "example.com."
  name  = "2"
  cname = "cname.platform.test."
  ttl   = 3600
}
`,
  );
});

test('an ALIAS becomes a comment', () => {
  const record = {
    type: 'ALIAS',
    name: 'example.com',
    label: '@',
    value: 'cname.platform.test\n}',
    ttl: 3600,
  };
  expect(terraform([{ zone: 'example.com', records: [record] }])).toBe(
    '# ALIAS @ -> cname.platform.test } in example.com: hashicorp/dns has no such resource. Use the one of your DNS provider.\n',
  );
});

test('escapes untrusted text', () => {
  const record = { type: 'CNAME', name: 'a"b', label: '${x}', value: '%{y}"\\\n' };
  expect(terraform([{ zone: 'example.com', records: [record] }])).toBe(
    [
      'resource "dns_cname_record" "a-b" {',
      '  zone  = "example.com."',
      '  name  = "$${x}"',
      String.raw`  cname = "%%{y}\"\\\U0000000a."`,
      '}',
      '',
    ].join('\n'),
  );
});
