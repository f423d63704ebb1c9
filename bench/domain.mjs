// Measures domain checks: many domains compared to `dig -f` with the same queries to the same server, and their memory.
// Also measures one domain as a whole command. Counts the queries of a healthy domain, and its rounds. The name server is the mock's, in its own process.
import { spawnSync } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkDomains } from 'petstore/domain';
import { cleanEnv, compare, processMs, report, ROOT, startServer, verdict } from './measure.mjs';

const ZONES = 50;
/** Names with right records in each zone. Enough for the longest measurement, so that none is queried twice. */
const NAMES = 200;
const DOMAINS = 1_000;
const TARGET = 'cname.platform.test';
const COMMAND = 'bin/petstore.cjs';
/** Queries of a healthy subdomain at most. */
const QUERIES_MAX = 24;
/** Delay of each query when rounds are measured. */
const DELAY_MS = 200;
/** Delays of a healthy subdomain at most; of an apex that, or the time that proves an ALIAS. */
const SUBDOMAIN_DELAYS_MAX = 6;
const APEX_DELAYS_MAX = 7;
const APEX_MS_MAX = 2_200;
/** Peak memory with ten times as many domains, at most. */
const MEMORY_RATIO_MAX = 1.5;

const [, self, role, ...args] = process.argv;
const roles = { serve, check };
await (roles[role] ?? measureAll)(...args);

/** Runs the name server, in a process that `startServer` starts. */
async function serve() {
  process.on('disconnect', () => process.exit());
  const mock = await createServer();
  const server = await mock.listen({ port: 0, dnsPort: 0 });
  process.send({ port: server.dns.port });
}

/** Checks this many domains in one process. Prints its peak memory in bytes. */
async function check(port, count) {
  await checkAll(Number(port), Number(count));
  console.log(process.resourceUsage().maxRSS * 1024);
}

async function measureAll() {
  const server = await startServer('domain.mjs', 'serve');
  const port = Number(new URL(server.baseUrl).port);
  await measureMany(port);
  measureMemory(port);
  await measureOne(port);
  await countQueries();
  await measureRounds();
  server.stop();
}

/** Healthy domains, each query delayed: time as a multiple of one delayed query in the same run. */
async function measureRounds() {
  const title = `healthy domain, 2 servers, 4 resolvers, each query delayed by ${DELAY_MS} ms: delays`;
  console.log(`\n${title}`);
  const { server, options } = await startFourServers([{ action: { delayMs: DELAY_MS } }]);
  const resolver = new Resolver();
  resolver.setServers(options.resolvers.slice(0, 1));
  const oneMs = await fastestOf(() => resolver.resolveCname('shop.two.test'));
  for (const [kind, domain, max] of [
    ['subdomain', 'shop.two.test', SUBDOMAIN_DELAYS_MAX],
    ['apex', 'two.test', Math.max(APEX_DELAYS_MAX, APEX_MS_MAX / oneMs)],
  ]) {
    const ms = await fastestOf(() => checkAllOf([requestOf(domain)], options));
    const delays = Number((ms / oneMs).toFixed(1));
    const goal = { bar: `≤ ${max.toFixed(1)}`, met: delays <= max };
    report({ title, name: kind, value: delays, ...goal });
    console.log(`  ${kind.padEnd(12)} ${delays} (${ms.toFixed(0)} ms)${verdict(goal)}`);
  }
  await server.close();
}

/** The fastest of three runs: the first also loads code. */
async function fastestOf(work) {
  const times = [await timeOf(work), await timeOf(work), await timeOf(work)];
  return Math.min(...times);
}

async function timeOf(work) {
  const startedAt = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}

/** A mock with a healthy subdomain and apex on two name servers, and four resolvers. */
async function startFourServers(faults = []) {
  const { createMock } = await import('petstore/mock');
  const mock = createMock({ dns: { zones: [fourServersZone()], faults } });
  const server = await mock.listen({ port: 0, dnsPort: 0 });
  const { port } = server.dns;
  const resolvers = [1, 2, 3, 4].map((host) => `127.0.0.${host}:${port}`);
  return { mock, server, options: { resolvers, authoritativePort: port } };
}

function requestOf(domain) {
  return { domain, target: TARGET, plan: 'Pro', deployed: true };
}

/** One healthy subdomain with two name servers and four resolvers: queries and time. */
async function countQueries() {
  const { mock, server, options } = await startFourServers();
  const ms = await timeOf(() => checkAllOf([requestOf('shop.two.test')], options));
  const { length } = mock.dns.journal;
  await server.close();
  const title = 'one healthy domain, 2 servers, 4 resolvers: queries';
  const goal = { bar: `≤ ${QUERIES_MAX}`, met: length <= QUERIES_MAX };
  report({ title, name: 'petstore checkDomains', value: length, ...goal });
  console.log(`\n${title}\n  ${length} in ${ms.toFixed(1)} ms${verdict(goal)}`);
}

/** A zone with two servers. The other one has four, because the mock listens only at addresses of name servers. */
function fourServersZone() {
  const zoneOf = (origin, count) => [
    `$ORIGIN ${origin}.`,
    '@ 3600 SOA ns1 hostmaster 1 3600 600 86400 900',
    ...Array.from({ length: count }, (_, index) => `@ 3600 NS ns${index + 1}`),
    ...Array.from({ length: count }, (_, index) => `ns${index + 1} 3600 A 127.0.0.${index + 1}`),
  ];
  return `${[...zoneOf('two.test', 2), `shop 3600 CNAME ${TARGET}.`, `@ ALIAS ${TARGET}.`, ...zoneOf('four.test', 4)].join('\n')}\n`;
}

async function measureMany(port) {
  const dig = findDig();
  const own = { name: 'petstore checkDomains', measure: () => processMs([self, 'check', port, DOMAINS]) };
  const title = `${DOMAINS} domains over ${ZONES} zones, whole process: ms`;
  if (dig === undefined) {
    console.log(
      '\ndig: not installed (apt-get install bind9-dnsutils; or PETSTORE_TEST_DNS names where it is)',
    );
    await compare(title, [own], { rounds: 5, better: 'less' });
    return;
  }
  const questions = await queriesOf(DOMAINS);
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const batch = join(folder, 'questions');
  writeFileSync(batch, questions.map((question) => digLine(question, port)).join('\n'));
  await compare(
    `${title}, ratio to dig -f with the same ${questions.length} questions`,
    [
      { name: 'dig -f', measure: () => digMs(dig, ['-f', batch]) },
      // Prints a tenth.
      { name: 'dig -f, +short', measure: () => digMs(dig, ['+short', '-f', batch]) },
      { ...own, bar: 1 },
    ],
    { rounds: 9, better: 'less' },
  );
  rmSync(folder, { recursive: true });
}

/** Ten times as many domains must take only a little more memory. */
function measureMemory(port) {
  const peaks = [DOMAINS, ZONES * NAMES].map((count) => ({ count, bytes: peakOf(port, count) }));
  const [few, many] = peaks;
  const title = 'peak memory of a whole process: MB, ratio';
  console.log(`\n${title}`);
  for (const { count, bytes } of peaks) {
    const ratio = bytes / few.bytes;
    const goal = count === many.count ? { bar: `≤ ${MEMORY_RATIO_MAX}`, met: ratio <= MEMORY_RATIO_MAX } : {};
    const name = `${count} domains`;
    const megabytes = (bytes / 1e6).toFixed(1);
    report({ title, name, value: Number(megabytes), ratio: Number(ratio.toFixed(2)), ...goal });
    console.log(
      `  ${name.padEnd(44)} ${megabytes.padStart(9)} ${ratio.toFixed(2).padStart(7)}${verdict(goal)}`,
    );
  }
}

async function measureOne(port) {
  const service = await startServer('server.mjs', 'raw');
  const env = { PETSTORE_BASE_URL: service.baseUrl, PETSTORE_API_KEY: 'bench', PETSTORE_GATE: 'memory' };
  const access = ['--resolver', `127.0.0.1:${port}`, '--authoritative-port', port];
  const facts = ['--target', TARGET, '--plan', 'pro', '--deployed', '--no-certificate'];
  const verify = [COMMAND, 'domain', 'verify', domains(1)[0], ...access, ...facts];
  await compare(
    'one domain as a whole command: ms, ratio to petstore pets list',
    [
      { name: 'petstore pets list', measure: () => processMs([COMMAND, 'pets', 'list'], env) },
      { name: 'petstore domain verify', measure: () => processMs(verify) },
    ],
    { rounds: 31, better: 'less' },
  );
  service.stop();
}

async function checkAll(port, count) {
  const requests = domains(count).map(requestOf);
  await checkAllOf(requests, { resolvers: [`127.0.0.1:${port}`], authoritativePort: port });
}

async function checkAllOf(requests, options) {
  let verified = 0;
  for await (const { state } of checkDomains(requests, options)) {
    if (state === 'verified') verified += 1;
  }
  if (verified !== requests.length) throw new Error(`${verified} of ${requests.length} are verified`);
}

/** The queries of one measurement, as the name server received them. */
async function queriesOf(count) {
  const mock = await createServer({ journalMax: 1_000_000 });
  const server = await mock.listen({ port: 0, dnsPort: 0 });
  await checkAll(server.dns.port, count);
  await server.close();
  return mock.dns.journal;
}

function digLine({ server, name, type, recursionDesired }, port) {
  return `@${server} -p ${port} ${name} ${type} ${recursionDesired ? '+recurse' : '+norecurse'}`;
}

function digMs({ path, libraries }, args) {
  const startedAt = process.hrtime.bigint();
  const env = cleanEnv({ LD_LIBRARY_PATH: libraries.join(delimiter) });
  const { status, stderr } = spawnSync(path, args, { env, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`dig ended with ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}

/** Finds dig in PATH or in unpacked Debian packages, with its libraries. */
function findDig() {
  const unpacked = process.env.PETSTORE_TEST_DNS ?? '';
  if (unpacked !== '' && existsSync(join(unpacked, 'usr/bin/dig'))) {
    const folder = join(unpacked, 'usr/lib');
    const libraries = readdirSync(folder).map((name) => join(folder, name));
    return { path: join(unpacked, 'usr/bin/dig'), libraries };
  }
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.map((folder) => join(folder, 'dig')).find((file) => existsSync(file));
  return path === undefined ? undefined : { path, libraries: [] };
}

function peakOf(port, count) {
  const options = { cwd: ROOT, env: cleanEnv(), encoding: 'utf8' };
  const script = fileURLToPath(import.meta.url);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'check', port, count], options);
  if (status !== 0) throw new Error(`the check of ${count} domains ended with ${status}: ${stderr}`);
  return Number(stdout);
}

/** Loads the mock only here, so that a measured process does not. */
async function createServer(dns = {}) {
  const { createMock } = await import('petstore/mock');
  return createMock({ dns: { ...dns, zones: [zoneFile()] } });
}

/** Domains with right records, from each zone in turn. */
function domains(count) {
  return Array.from(
    { length: count },
    (_, index) => `shop${Math.floor(index / ZONES)}.zone${index % ZONES}.test`,
  );
}

function zoneFile() {
  const zones = Array.from({ length: ZONES }, (_, zone) => [
    `$ORIGIN zone${zone}.test.`,
    '@ 3600 SOA ns1 hostmaster 1 3600 600 86400 900',
    '@ 3600 NS ns1',
    'ns1 3600 A 127.0.0.1',
    ...Array.from({ length: NAMES }, (_, name) => `shop${name} 3600 CNAME ${TARGET}.`),
  ]);
  return `${zones.flat().join('\n')}\n`;
}
