import { describe, expect, test } from 'vitest';
import { parseSubject as read } from '../../../src/domain/request/subject.js';

const TARGET = 'cname.platform.test';

describe('a request', () => {
  test('is parsed into a subject', () => {
    const request = { domain: 'Shop.Example.test.', target: 'CNAME.platform.test.', deployed: true };
    expect(read(request)).toEqual({
      ok: true,
      subject: {
        domain: expect.objectContaining({ ascii: 'shop.example.test' }),
        target: TARGET,
        plan: undefined,
        deployed: true,
        kind: undefined,
        issuer: undefined,
        isThorough: false,
        checksCaa: true,
      },
    });
  });

  test.each(['', 'not a host', 'https://cname.platform.test', '192.0.2.80'])(
    'is invalid with the target %j',
    (target) => {
      const message = expect.stringMatching(/^The target is invalid: /);
      expect(read({ domain: 'shop.example.test', target })).toMatchObject({
        ok: false,
        finding: {
          id: 'name.invalid',
          message,
          fix: { text: expect.stringContaining('the dashboard shows') },
        },
      });
    },
  );

  test('is invalid if the target is the domain itself', () => {
    expect(read({ domain: TARGET, target: `${TARGET.toUpperCase()}.` })).toMatchObject({
      ok: false,
      finding: {
        id: 'name.invalid',
        severity: 'block',
        message: `${TARGET} is the target itself; a domain can't point to itself.`,
      },
      suggestion: undefined,
    });
  });

  test('is invalid as a subdomain at the apex of a registrable domain', () => {
    expect(read({ domain: 'example.test', target: TARGET, kind: 'subdomain' })).toMatchObject({
      ok: false,
      finding: { id: 'name.invalid', message: expect.stringContaining('an apex domain, not a subdomain') },
    });
    expect(read({ domain: 'a.example.test', target: TARGET, kind: 'subdomain' }).ok).toBe(true);
    expect(read({ domain: 'example.test', target: TARGET, kind: 'apex' }).ok).toBe(true);
  });
});
