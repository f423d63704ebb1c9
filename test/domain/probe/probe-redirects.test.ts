import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { RedirectEntry } from '../../../src/domain/request/options.js';
import type { FoundAddresses } from '../../../src/domain/request/options.js';
import type { ProbeRequest } from '../../../src/domain/probe/probe-request.js';
import { probeRedirects, type RedirectFacts } from '../../../src/domain/probe/probe-redirects.js';
import type { Finding } from '../../../src/domain/report/finding.js';
import { redirectFindings } from '../../../src/domain/probe/redirect-findings.js';
import { closedPort } from '../../support/loopback-port.js';
import { createVirtualClock, until } from '../../support/virtual-clock.js';
import {
  probeLimits,
  probeRequest,
  serveAfterReset,
  serveHttp,
  serveHttps,
  serveTcp,
} from '../loopback-servers.js';
import { named } from '../../support/named.js';

const OLD = 'old.example.test';
const NEW = 'new.example.test';
const ENTRY: RedirectEntry = { from: OLD, to: NEW, status: 301 };
const PATH = '/petstore-check/t1?probe=t1';

/** A site of hosts, each a function from path to status and Location. */
type Site = Readonly<Record<string, (path: string, scheme: string) => [number, string?, cookie?: string]>>;

function listener(site: Site, scheme: string, asked: string[]): RequestListener {
  return (request, response) => {
    const host = request.headers.host ?? '';
    asked.push(`${request.method ?? ''} ${scheme}://${host}${request.url ?? ''}`);
    const [status, location, cookie] = site[host]?.(request.url ?? '', scheme) ?? [404];
    if (location !== undefined) response.setHeader('location', location);
    if (cookie !== undefined) response.setHeader('set-cookie', cookie);
    response.writeHead(status).end('x'.repeat(10));
  };
}

/** Probes the entry. */
async function factsOf(request: ProbeRequest, limits = probeLimits()): Promise<RedirectFacts> {
  const [facts] = await probeRedirects([ENTRY], request, limits, 't1');
  return facts!;
}

const summaryOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ id, severity, message }) => `${id} ${severity} ${message}`);

async function probed(site: Site, certificates: Readonly<Record<string, string>> = {}) {
  const asked: string[] = [];
  const httpPort = await serveHttp(listener(site, 'http', asked));
  const httpsPort = await serveHttps(listener(site, 'https', asked), certificates);
  const findings = redirectFindings(await factsOf(probeRequest({ httpPort, httpsPort })));
  return { asked: asked.sort(), findings, summary: summaryOf(findings) };
}

/** Adds a digit to the first part of a path, up to `/0123456789`. */
function nextStep(path: string): string {
  const [, steps = ''] = /^\/(\d+)\//.exec(path) ?? [];
  return `/${steps}${steps.length}${path.slice(steps === '' ? 0 : steps.length + 1)}`;
}

const right: Site = { [OLD]: (path) => [301, `https://${NEW}${path}`], [NEW]: () => [200] };

describe('on the wire', () => {
  test('requests path and query from http and https, and the target once each', async () => {
    const { asked, summary } = await probed(right);
    expect(asked).toEqual([
      `GET http://${OLD}${PATH}`,
      `GET https://${NEW}${PATH}`,
      `GET https://${NEW}${PATH}`,
      `GET https://${OLD}${PATH}`,
    ]);
    expect(summary).toEqual([
      `redirect.ok info ${OLD} → ${NEW}: works from http and https, with 301, path and query.`,
    ]);
  });

  const both = `${OLD} → ${NEW}, from http and https:`;
  const cases = named<[Site, ...string[]]>({
    'to the host in capitals and with a final dot': [
      {
        ...right,
        [OLD]: (path) => [301, `https://${NEW.toUpperCase()}.${path}`],
        [`${NEW}.`]: () => [200],
      },
      `redirect.ok info ${OLD} → ${NEW}: works from http and https, with 301, path and query.`,
    ],
    'by way of https on the same host': [
      {
        ...right,
        [OLD]: (path, scheme) =>
          scheme === 'http' ? [308, `https://${OLD}${path}`] : [301, `https://${NEW}${path}`],
      },
      `redirect.ok info ${OLD} → ${NEW}: works from http and https, with 301, path and query.`,
    ],
    'another port': [
      { ...right, [OLD]: (path) => [301, `https://${NEW}:8443${path}`] },
      `redirect.target block ${both} it redirects to ${NEW}:8443 and should redirect to ${NEW}.`,
    ],
    'the query dropped from http': [
      {
        ...right,
        [OLD]: (path, scheme) => [301, `https://${NEW}${scheme === 'http' ? path.split('?')[0]! : path}`],
      },
      `redirect.drops-path-query warn ${OLD} → ${NEW}, from http: it drops the query.`,
    ],
    'a Location that leads nowhere': [
      { ...right, [OLD]: () => [301, 'javascript:alert(1)'] },
      `redirect.missing block ${both} it does not redirect: status 301 with javascript:alert(1) is not a redirect that browsers follow.`,
    ],
    'back and forth': [
      { [OLD]: (path) => [301, `https://${NEW}${path}`], [NEW]: (path) => [302, `//${OLD}${path}`] },
      `redirect.loop block ${both} ${NEW} redirects back to ${OLD}.`,
    ],
    'to https and back': [
      { [OLD]: (path, scheme) => [301, `${scheme === 'http' ? 'https' : 'http'}://${OLD}${path}`] },
      `redirect.loop block ${both} ${OLD} redirects to itself.`,
    ],
    'to a target that redirects to itself': [
      { ...right, [NEW]: (path) => [302, path] },
      `redirect.loop block ${both} ${NEW} redirects to itself.`,
    ],
    'to a target that redirects to itself until it gets its cookie': [
      { ...right, [NEW]: (path) => [307, path, 'seen=1'] },
      `redirect.loop unknown ${both} it could not be checked: ${NEW} sets a cookie and redirects to itself.`,
    ],
    'to a target with ten more redirects': [
      { ...right, [NEW]: (path) => (path.startsWith('/0123456789') ? [200] : [302, nextStep(path)]) },
      `redirect.ok info ${OLD} → ${NEW}: works from http and https, with 301, path and query.`,
    ],
    'on and on': [
      { [OLD]: (path) => [301, `${path}1`] },
      `redirect.loop block ${both} ${OLD} redirects to itself.`,
    ],
  });
  test('names the host to fix in a loop', async () => {
    const { findings } = await probed({
      [OLD]: (path) => [301, `https://${NEW}${path}`],
      [NEW]: (path) => [302, `//${OLD}${path}`],
    });
    expect(findings[0]?.fix?.text).toBe(
      `At ${NEW}, remove the redirect to ${OLD}. It is another entry, or part of the site. Or remove this entry.`,
    );
  });

  test.each(cases)('%s', async (_name, site, ...expected) => {
    expect((await probed(site)).summary).toEqual(expected);
  });

  test('a certificate of another host', async () => {
    const { summary } = await probed(right, { [OLD]: 'stranger' });
    expect(summary).toEqual([
      `redirect.no-cert-on-from block ${OLD} → ${NEW}, from https: ${OLD} has no certificate of its own; it uses one for stranger.test.`,
    ]);
  });

  test('checks the certificate of the target', async () => {
    const { findings } = await probed(right, { [NEW]: 'stranger' });
    expect(findings.map(({ id }) => id)).toEqual(['redirect.unreachable']);
  });
});

async function findingsAt(httpPort: number, httpsPort: number): Promise<string[]> {
  return summaryOf(redirectFindings(await factsOf(probeRequest({ httpPort, httpsPort }))));
}

test('reports closed ports', async () => {
  expect(await findingsAt(await closedPort(), await closedPort())).toEqual([
    `redirect.missing block ${OLD} → ${NEW}, from http: no response (connection refused).`,
    `redirect.no-cert-on-from block ${OLD} → ${NEW}, from https: https does not respond (connection refused).`,
  ]);
});

test.each([
  [
    'headers without end',
    (text: string) => `${text}x: ${'y'.repeat(20_000)}\r\n\r\n`,
    'more than 16 KiB of headers',
  ],
  ['an upgrade', () => 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'status 101'],
  ['half a head', () => 'HTTP/1.1 3', ''],
  ['no HTTP', () => 'SSH-2.0-x\r\n', 'the server does not use HTTP'],
])('survives %s', async (_name, answer, says) => {
  const httpPort = await serveTcp((socket) => {
    socket.once('data', () => socket.end(answer('HTTP/1.1 301 Moved\r\n')));
  });
  const [first] = await findingsAt(httpPort, await closedPort());
  expect(first).toMatch(/^redirect\.missing block/);
  expect(first).toContain(says);
});

test('does not wait for the body, or beyond the time limit', async () => {
  const clock = createVirtualClock();
  let silent = 0;
  const httpPort = await serveTcp((socket) => {
    socket.once('data', () =>
      socket.write(`HTTP/1.1 301 Moved\r\nlocation: //elsewhere.test${PATH}\r\ncontent-length: 9\r\n\r\n`),
    );
  });
  const httpsPort = await serveTcp((socket) => {
    socket.resume();
    silent += 1;
  });
  let answered = false;
  const probing = factsOf(probeRequest({ httpPort, httpsPort }), probeLimits({ clock }));
  void probing.then(() => (answered = true));
  // The one from http is over as soon as its head is there.
  await until(() => silent === 1 && clock.delays.length === 2 && clock.pending === 1);
  expect(answered).toBe(false);
  await clock.next();
  const facts = await probing;
  expect(facts.walks.map(({ hops }) => hops[0]?.response)).toEqual([
    { kind: 'response', status: 301, location: `//elsewhere.test${PATH}` },
    { kind: 'unreachable', detail: 'no response within 15 s' },
  ]);
});

test('does not connect to a private address of a host', async () => {
  let connections = 0;
  const port = await serveTcp((socket) => {
    connections += 1;
    socket.destroy();
  });
  const asked: string[] = [];
  const subject = probeRequest(
    { connect: undefined, httpPort: port, httpsPort: port },
    {
      addressesOf(name) {
        asked.push(name);
        return Promise.resolve({ outcome: 'found', addresses: ['127.0.0.1', '::1'] });
      },
    },
  );
  expect(summaryOf(redirectFindings(await factsOf(subject)))).toEqual([
    `redirect.missing unknown ${OLD} → ${NEW}, from http and https: it could not be checked: not probed: it is reserved for the machine itself.`,
  ]);
  expect(asked).toEqual([OLD]);
  expect(connections).toBe(0);
});

test('a host with a final dot is looked up and verified without it', async () => {
  const asked: string[] = [];
  const site: Site = { ...right, [OLD]: (path) => [301, `https://${NEW}.${path}`], [`${NEW}.`]: () => [200] };
  const [httpPort, httpsPort] = [
    await serveHttp(listener(site, 'http', [])),
    await serveHttps(listener(site, 'https', []), { [`${NEW}.`]: 'stranger' }),
  ];
  const addressesOf = (name: string) => {
    asked.push(name);
    return Promise.resolve({ outcome: 'found' as const, addresses: ['192.0.2.80'] });
  };
  const subject = probeRequest({ connect: undefined, httpPort, httpsPort }, { addressesOf });
  const route = ({ port }: { port: number }) => ({ address: '127.0.0.1', port });
  const facts = await factsOf(subject, probeLimits({ route }));
  expect(redirectFindings(facts).map(({ id }) => id)).toEqual(['redirect.ok']);
  expect(asked.sort()).toEqual([NEW, OLD]);
});

describe('a host without an address', () => {
  async function findingsFor(outcome: FoundAddresses['outcome'], connect?: string): Promise<string[]> {
    const addressesOf = () => Promise.resolve({ outcome, addresses: [] });
    const subject = probeRequest({ connect }, { addressesOf });
    const findings = redirectFindings(await factsOf(subject));
    for (const { evidence } of findings)
      for (const one of evidence) expect(one).not.toHaveProperty('command');
    return summaryOf(findings);
  }
  const both = `${OLD} → ${NEW}, from http and https`;

  test('is redirect.missing, not a certificate problem', async () =>
    expect(await findingsFor('missing')).toEqual([`redirect.missing block ${both}: ${OLD} has no address.`]));

  test('is unknown if its query failed', async () =>
    expect(await findingsFor('unknown')).toEqual([
      `redirect.missing unknown ${both}: it could not be checked: no address of ${OLD} was found.`,
    ]));

  test('is unknown if it is the host in connect', async () =>
    expect(await findingsFor('missing', 'edge.platform.test')).toEqual([
      `redirect.missing unknown ${both}: it could not be checked: no address of edge.platform.test was found.`,
    ]));
});

test('shows the probed addresses', async () => {
  const port = await serveHttp((_, response) => response.writeHead(404).end());
  const subject = probeRequest({ httpPort: port, httpsPort: await closedPort() });
  expect(redirectFindings(await factsOf(subject))[0]?.evidence[0]?.command).toBe(
    `curl -sk -o /dev/null -D - --connect-to '${OLD}:80:127.0.0.1:${port}' 'http://${OLD}${PATH}'`,
  );
});

test('requests once more if the server closed the connection', async () => {
  const httpPort = await serveAfterReset(await serveHttp(listener(right, 'http', [])));
  const httpsPort = await serveHttps(listener(right, 'https', []));
  expect(await findingsAt(httpPort, httpsPort)).toEqual([
    `redirect.ok info ${OLD} → ${NEW}: works from http and https, with 301, path and query.`,
  ]);
});

describe('a host with several addresses', () => {
  /** The findings if each of them has a server, is closed, or has no route from here. */
  async function findingsFor(...kinds: readonly ('open' | 'closed' | 'unrouted')[]): Promise<string[]> {
    const open = {
      http: await serveHttp(listener(right, 'http', [])),
      https: await serveHttps(listener(right, 'https', [])),
    };
    const closed = await closedPort();
    const addresses = kinds.map((_, index) => `192.0.2.${index}`);
    const addressesOf = () => Promise.resolve({ outcome: 'found' as const, addresses });
    const route = ({ address, port }: { address: string; port: number }) => {
      const kind = kinds[addresses.indexOf(address)];
      // The kernel refuses to connect to a broadcast address.
      if (kind === 'unrouted') return { address: '255.255.255.255', port };
      return {
        address: '127.0.0.1',
        port: kind === 'closed' ? closed : port === 80 ? open.http : open.https,
      };
    };
    const subject = probeRequest({ connect: undefined }, { addressesOf });
    return redirectFindings(await factsOf(subject, probeLimits({ route }))).map(
      ({ id, severity }) => `${id} ${severity}`,
    );
  }

  test.each([
    ['one is closed', ['closed', 'open'], ['redirect.ok info']],
    [
      'many have no route',
      [...Array.from({ length: 4 }, () => 'unrouted' as const), 'open'],
      ['redirect.ok info'],
    ],
    [
      'all are closed or have no route',
      ['closed', 'unrouted'],
      ['redirect.missing block', 'redirect.no-cert-on-from block'],
    ],
    ['none has a route', ['unrouted', 'unrouted'], ['redirect.missing unknown']],
  ] as const)('is judged as browsers see it: %s', async (_name, kinds, expected) => {
    expect(await findingsFor(...kinds)).toEqual(expected);
  });
});

test('tries the next address if one does not respond', async () => {
  const clock = createVirtualClock();
  let connections = 0;
  const httpPort = await serveTcp((socket) => {
    connections += 1;
    const isSilent = connections < 3;
    socket.on('data', () => isSilent || socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  });
  const subject = probeRequest(
    { connect: 'edge.platform.test', httpPort, httpsPort: await closedPort() },
    {
      addressesOf: () =>
        Promise.resolve({ outcome: 'found', addresses: Array.from({ length: 9 }, () => '127.0.0.1') }),
    },
  );
  const probing = factsOf(subject, probeLimits({ clock }));
  for (const count of [1, 2]) {
    // The one from https is refused at once.
    await until(() => connections === count && clock.pending === 1);
    await clock.next();
  }
  const facts = await probing;
  expect(facts.walks[0]?.hops[0]?.response).toEqual({ kind: 'response', status: 204, location: undefined });
  expect(connections).toBe(3);
});
