// `npm run build:binary [-- --node FILE] [--out FOLDER]`: builds one executable file with the command and Node.js, for this
// system. `--build` builds dist/ before.
import { execFile, execFileSync, execSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { keyringBinding } from './keyring-binding.mjs';
import { writeLicences } from './licences.mjs';

const HERE = import.meta.dirname;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist/cli');
/** Node.js 20 and 22 start without the code caches that make a list fast. */
const NODE_MAJOR_MIN = 24;
/** Node.js looks for embedded code only if this text in its file says so. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The command lines whose functions are in the code caches. The first one counts: a list must start fast. */
const RECORDED = [
  ['pets', 'list'],
  ['pets', 'list', '--mock', '--output', 'table'],
  ['pets', 'list', '--help'],
  ['__complete', 'bash', '1', '--', 'pets', 'l'],
];

try {
  const { values } = parseArgs({
    options: {
      node: { type: 'string', default: process.execPath },
      out: { type: 'string', default: 'dist-binary' },
      build: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) console.log('npm run build:binary [-- --node FILE] [--out FOLDER]');
  else await buildBinary(values);
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}

async function buildBinary({ node, out, build: needsBuild }) {
  const { path, version, platform } = nodeOf(node);
  if (needsBuild) execSync('npm run --silent build', { cwd: ROOT, stdio: 'inherit' });
  if (!existsSync(DIST)) throw new Error('dist/ is missing: run "npm run build" first');
  const work = mkdtempSync(join(tmpdir(), 'petstore-binary-'));
  try {
    await recordCaches(path, work);
    const keyring = keyringBinding();
    const blob = await prepareBlob(path, work, assetsOf(work, keyring?.file));
    const file = join(out, platform === 'win32' ? 'petstore.exe' : 'petstore');
    embed(path, blob, file, platform);
    writeLicences(join(out, 'LICENSES.txt'), ROOT, { path, version }, keyring?.licences ?? []);
    const size = Math.round(statSync(file).size / 1e6);
    console.log(`${file}: Node.js ${version} and petstore, ${size} MB`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The path, version and platform of a Node.js. It must run here, because it compiles the code. */
function nodeOf(node) {
  const script =
    'const { execPath: path, version, platform } = process; console.log(JSON.stringify({ path, version, platform }))';
  let found;
  try {
    found = JSON.parse(
      execFileSync(node, ['-e', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    throw new Error(`${node} is not a Node.js that runs on this system`);
  }
  if (Number(found.version.slice(1).split('.')[0]) < NODE_MAJOR_MIN)
    throw new Error(
      `The executable needs Node.js ${NODE_MAJOR_MIN} or later, and ${node} is ${found.version}. ` +
        'Name another one: npm run build:binary -- --node FILE',
    );
  // The packages of some systems have Node.js in a library.
  if (!readFileSync(found.path).includes(FUSE))
    throw new Error(
      `${node} can't contain a program, because Node.js is in a library. ` +
        'Name an official build of Node.js: npm run build:binary -- --node FILE',
    );
  return found;
}

/** Runs the command against a loopback service, and writes the code cache of each file. */
async function recordCaches(node, work) {
  const server = createServer((_, response) => {
    const pets = Array.from({ length: 20 }, (_, index) => ({
      id: index + 1,
      name: `Pet ${index + 1}`,
      categoryId: 7,
      status: 'available',
    }));
    response.writeHead(200, {
      'content-type': 'application/json',
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '999',
      'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + 60),
    });
    response.end(JSON.stringify(pets));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = {
    PETSTORE_API_KEY: 'recorded',
    PETSTORE_BASE_URL: `http://127.0.0.1:${server.address().port}/v1`,
    PETSTORE_CONFIG_DIR: join(work, 'config'),
    PETSTORE_STATE_DIR: join(work, 'state'),
  };
  try {
    for (const line of [...RECORDED, []])
      await promisify(execFile)(node, [join(HERE, 'record.cjs'), DIST, work, ...line], { env });
  } finally {
    server.close();
  }
}

/** The embedded files: the chunks as they are compiled, their code caches, the commands, and the keychain binding. */
function assetsOf(work, keyringFile) {
  const assets = { 'command-tree.json': join(DIST, 'command-tree.json') };
  const { wrapChunk } = createRequire(import.meta.url)(join(DIST, 'main.cjs'));
  for (const name of readdirSync(DIST).filter((file) => file.endsWith('.cjs'))) {
    writeFileSync(join(work, name), wrapChunk(readFileSync(join(DIST, name), 'utf8')));
    assets[name] = join(work, name);
    assets[`${name}.cache`] = join(work, `${name}.cache`);
  }
  if (keyringFile !== undefined) assets['keyring.node'] = keyringFile;
  return assets;
}

/** Returns the path of the file that Node.js reads in the executable: the main script and the assets. */
async function prepareBlob(node, work, assets) {
  const main = join(work, 'binary-main.js');
  await build({
    entryPoints: [join(HERE, 'main.cjs')],
    bundle: true,
    minify: true,
    outfile: main,
    platform: 'node',
  });
  const output = join(work, 'blob');
  const config = join(work, 'config.json');
  // No `useCodeCache`: the main script is short, and Node.js warns each user whose NODE_OPTIONS make a cache useless.
  writeFileSync(config, JSON.stringify({ main, output, assets, disableExperimentalSEAWarning: true }));
  execFileSync(node, ['--experimental-sea-config', config], { stdio: 'pipe' });
  return output;
}

function embed(node, blob, file, platform) {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  copyFileSync(node, file);
  chmodSync(file, 0o755);
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
  const args = [file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, '--macho-segment-name', 'NODE_SEA'];
  if (platform === 'darwin') execFileSync('codesign', ['--remove-signature', file]);
  // Piped, because it warns of sections of Node.js that it does not change.
  execFileSync(process.execPath, [postject, ...args], { stdio: 'pipe' });
  if (platform === 'darwin') execFileSync('codesign', ['--sign', '-', file]);
}
