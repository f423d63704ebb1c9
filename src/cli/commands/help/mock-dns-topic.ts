import { BUILT_IN_NAMES } from '../../../mock/index.js';

/** The text of `petstore help mock-dns`: the names of the mock's built-in zones and what each one shows. */
export function mockDnsTopic(): string {
  const width = Math.max(...BUILT_IN_NAMES.map(({ name }) => name.length));
  const names = BUILT_IN_NAMES.map(({ name, because }) => `  ${name.padEnd(width)}  ${because}\n`);
  return INTRODUCTION + names.join('');
}

const INTRODUCTION = `Domain names of the mock DNS server

Each name shows one result of the domain checks. Their target is cname.platform.test. Try them offline:
  petstore --mock domain verify blocked.example.test
  petstore --mock domain records blocked.example.test -o zone

The platform also serves these names over HTTP and HTTPS, with its own certificate authority:
  petstore --mock domain cert cert-expired.example.test
  petstore --mock domain redirects redirect-loop.example.test
  petstore --mock domain verify shop.example.test --until active
  petstore --mock domain verify proxied.example.test --probe
- --probe proves that the platform serves shop.example.test and proxied.example.test.
  It can't prove that of wrong.example.test.
- With --mock, "domain verify" checks the certificate only with --until active
  or --probe.
- "domain redirects" checks the entries in .test of petstore.config.json, otherwise
  www.example.test.

To serve the names until ^C, for several commands or other programs:
  petstore mock --dns-port 5353
  petstore domain verify shop.example.test --target cname.platform.test --resolver 127.0.0.1:5353 --authoritative-port 5353 --no-certificate
The mock also prints the flags for "domain cert". GET /__mock/ca.pem returns its authority.

--dns-zone FILE adds your own zones from a zone file (petstore mock --help).

Names:

`;
