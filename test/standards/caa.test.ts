import { describe, expect, test } from 'vitest';
import { parseIssueValue } from '../../src/domain/diagnose/rules/caa.js';

/** RFC 8659, section 4.2: `issue-value = *WSP [issuer-domain-name *WSP] [";" *WSP [parameters *WSP]]`. */
describe('issue-value', () => {
  test.each<[string, string, string[]]>([
    // Examples of sections 4.2 and 4.3.
    ['ca1.example.net', 'ca1.example.net', []],
    ['ca1.example.net; account=230123', 'ca1.example.net', ['account=230123']],
    [';', '', []],
    // RFC 8657, section 5.
    [
      'example.net; accounturi=https://example.net/account/1234; validationmethods=dns-01',
      'example.net',
      ['accounturi=https://example.net/account/1234', 'validationmethods=dns-01'],
    ],
    // All parts are optional.
    ['', '', []],
    ['   ', '', []],
    ['ca.example;', 'ca.example', []],
    [' ca.example ; ', 'ca.example', []],
    ['; policy=ev', '', ['policy=ev']],
    // WSP is a space or a tab. A decoded value has the tab as \009.
    ['\\009ca.example\\009;\\009policy\\009=\\009ev\\009', 'ca.example', ['policy=ev']],
    // Labels: letters, digits, and hyphens inside. Comparison ignores case.
    ['CA.Example', 'ca.example', []],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example', []],
    ['1.2', '1.2', []],
    ['localhost', 'localhost', []],
    // A value may be empty, and has all printable characters except the semicolon.
    ['ca.example; tag=', 'ca.example', ['tag=']],
    ['ca.example; a=!"#=~:; b=2', 'ca.example', ['a=!"#=~:', 'b=2']],
  ])('%j permits %j', (text, issuer, parameters) => {
    const parsed = parseIssueValue(text);
    expect(parsed.isMalformed).toBe(false);
    expect(parsed.issuer).toBe(issuer);
    expect(parsed.parameters.map(({ tag, value }) => `${tag}=${value}`)).toEqual(parameters);
  });

  // "… MUST be treated the same as if it contained an empty issuer-domain-name" (section 4.2).
  test.each([
    ...['%%%%%', 'ca.example.', '.ca.example', 'ca..example', '-ca.example', 'ca-.example', 'ca_1.example'],
    ...['ca.example other.example', 'ca.example, other.example', 'https://ca.example', 'bücher.example'],
    ...['ca.example; account', 'ca.example; =1', 'ca.example; a_b=1', 'ca.example; account=23 01'],
    ...['ca.example; account=1;', 'ca.example;; account=1', 'ca.example; account=\\195\\188'],
    ...['ca.example account=1', 'ca.example\\000', 'ca.example\\010'],
  ])('%j is malformed and permits nobody', (text) => {
    expect(parseIssueValue(text)).toEqual({ issuer: '', parameters: [], isMalformed: true });
  });
});
