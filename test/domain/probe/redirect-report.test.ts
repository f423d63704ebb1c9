import { expect, test } from 'vitest';
import { redirectReports } from '../../../src/domain/probe/redirect-findings.js';
import type { RedirectFacts } from '../../../src/domain/probe/probe-redirects.js';
import { NOW } from '../loopback-servers.js';

const facts: RedirectFacts = {
  entry: { from: 'old.example.test', to: 'new.example.test', status: 301 },
  checkedAt: NOW,
  path: '/p',
  ports: { http: 80, https: 443 },
  walks: [
    {
      scheme: 'http',
      hops: [
        {
          url: 'http://old.example.test/p',
          response: { kind: 'response', status: 301, location: '/\u009b31m' },
        },
        {
          url: 'http://old.example.test/q',
          response: { kind: 'response', status: 404, location: undefined },
        },
      ],
    },
    {
      scheme: 'https',
      hops: [
        { url: 'https://old.example.test/p', response: { kind: 'refused', detail: 'connection refused' } },
      ],
    },
  ],
};

test('reports each entry in order, probed or not', () => {
  const entries = [
    { from: 'https://x/', to: 'new.example.test', status: 301 },
    { from: 'OLD.example.test', to: 'new.example.test', status: 301 },
  ];
  expect(redirectReports(entries, [facts])).toEqual([
    { from: 'https://x/', to: 'new.example.test', status: 301, observed: [] },
    {
      from: 'OLD.example.test',
      to: 'new.example.test',
      status: 301,
      observed: [
        { url: 'http://old.example.test/p', status: 301, location: '/<U+009B>31m' },
        { url: 'http://old.example.test/q', status: 404 },
        { url: 'https://old.example.test/p', trouble: 'connection refused' },
      ],
    },
  ]);
});
