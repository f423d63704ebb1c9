import { describe, expect, test } from 'vitest';
import type { Todo } from '../../src/domain/report/finding.js';
import { todoLines } from '../../src/domain/advice/plan.js';
import { editedLines } from './edited-lines.js';
import { fakeDns, type World } from './fake-dns.js';
import { situationLab, SITUATIONS } from './situations.js';
import { NS1, NS2, RESOLVER, TARGET } from './world.js';

const ZONE = 'example.test';

/** Changes the zone, or its copy at the second server, as the owner does: one change of `todo`. */
function applied(world: World, todo: Todo, appendsZone: boolean): World {
  // The parent zone has the records of a delegation.
  const isParents = todo.at === 'your registrar';
  if (isParents)
    return { ...world, zones: { ...world.zones, test: editedLines('test', world.zones.test ?? [], todo) } };
  const copy = `${NS2} ${ZONE}`;
  const { [copy]: other } = world.copies ?? {};
  return other !== undefined && todo.at.includes('ns2.')
    ? { ...world, copies: { ...world.copies, [copy]: editedLines(ZONE, other, todo, appendsZone) } }
    : {
        ...world,
        zones: { ...world.zones, [ZONE]: editedLines(ZONE, world.zones[ZONE] ?? [], todo, appendsZone) },
      };
}

/** Where the domain leads to the service only: a resolver and each name server. */
async function servedAt(world: World, name: string): Promise<string[]> {
  const dns = fakeDns(world);
  const served = [RESOLVER, NS1, NS2].map(async (address) => {
    const query = { name, type: 'A' } as const;
    const options = { recursive: address === RESOLVER, signal: undefined };
    const exchange = await dns.query({ address, port: 53, transport: 'dns' }, query, options);
    const data = exchange.kind === 'response' ? exchange.response.answers.map((record) => record.data) : [];
    const [addresses, aliases] = [
      data.filter(({ type }) => type === 'A'),
      data.filter(({ type }) => type === 'CNAME'),
    ];
    const isRight =
      addresses.every((one) => one.type === 'A' && one.address === '192.0.2.80') &&
      (addresses.length > 0 || aliases.some((one) => one.type === 'CNAME' && one.target === TARGET));
    return isRight ? [address] : [];
  });
  return (await Promise.all(served)).flat();
}

describe('advice that is followed step by step', () => {
  test.each(SITUATIONS)('$did', async (situation) => {
    const { request = {}, shows, appendsZone = false, then, thenRequest = {}, end = 'verified' } = situation;
    const lab = situationLab(situation);
    const report = await lab.check(request);
    expect(report.findings.map(({ id }) => id)).toContain(shows);
    if (report.state === 'action-required') expect(todoLines(report)[0]?.text).toMatch(PLACE);
    for (const todo of report.todo) {
      const removed = todo.action === 'remove' ? [todo.record] : (todo.replaces ?? []);
      if (removed.some(({ type }) => type === 'MX'))
        expect(todoLines(report)[0]?.text).toContain(', if nothing needs it');
      const before = await servedAt(lab.dns.world, report.domain.ascii);
      lab.dns.world = applied(lab.dns.world, todo, appendsZone);
      const after = await servedAt(lab.dns.world, report.domain.ascii);
      expect(after, JSON.stringify(todo)).toEqual(expect.arrayContaining(before));
    }
    if (then !== undefined) lab.dns.world = then(lab.dns.world);
    lab.web = {};
    const last = await lab.check({ ...request, ...thenRequest });
    expect(
      last.findings.filter(({ severity }) => severity === 'block').map(({ message }) => message),
    ).toEqual(end === 'invalid' ? [expect.any(String)] : []);
    expect({ state: last.state, todo: last.todo }).toEqual({ state: end, todo: [] });
  });
});

/** Where to act comes first. */
const PLACE =
  /^(?:(?:Add|Edit|Remove) at \S.*: the |Edit at \S.*: (?:replace|rename) the |At |In |Ask the DNS provider|Deploy the project|If you added the record)/;
