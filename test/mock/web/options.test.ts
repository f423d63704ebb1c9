import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';

test.each([
  [{ redirect: [] }, 'Unknown option "web.redirect". Did you mean "redirects"?'],
  [{ redirects: {} }, 'web.redirects must be a list of redirect entries'],
  [{ redirects: ['a.test'] }, 'web.redirects[0] must be an object'],
  [
    { redirects: [{ from: 'a.test', to: 'b.test', status: 200 }] },
    'web.redirects[0].status must be 301, 302, 303, 307 or 308',
  ],
  [
    { redirects: [{ from: 'https://a.test', to: 'b.test', status: 301 }] },
    'web.redirects[0].from must be a host name, such as www.example.test',
  ],
  [
    { redirects: [{ from: 'a.test', to: '', status: 301 }] },
    'web.redirects[0].to must be a host name, such as www.example.test',
  ],
  [
    { redirects: [{ from: 'a.test', too: 'b.test', status: 301 }] },
    'Unknown option "web.redirects[0].too". Did you mean "to"?',
  ],
  [{ redirects: [{ from: 'a.test', to: 'b.test' }] }, 'web.redirects[0].status is missing'],
  [
    {
      redirects: [
        { from: 'a.test', to: 'b.test', status: 301 },
        { from: 'A.test.', to: 'c.test', status: 301 },
      ],
    },
    'a.test occurs twice in web.redirects',
  ],
])('rejects the web options %j', async (options, message) => {
  // As JavaScript passes them.
  await expect(createMock().listen({ web: options as object })).rejects.toThrow(new TypeError(message));
});
