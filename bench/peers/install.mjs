// Installs other packages for comparisons. They are no dependencies: npm installs each set once, in a cache folder.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The packages of each comparison, with pinned major versions. All but `clients` work on Node 20. */
const SETS = {
  library: ['axios@1', 'got@14', 'ky@1', 'openapi-fetch@0'],
  import: ['axios@1', 'bottleneck@2', 'p-queue@9'],
  mock: ['@stoplight/prism-cli@5', 'json-server@0.17', '@mockoon/cli@9'],
  pacing: [
    'bottleneck@2',
    'got@14',
    'ky@1',
    'p-queue@9',
    'p-throttle@8',
    'undici@7',
    '@octokit/core@7',
    '@octokit/plugin-throttling@11',
  ],
  clients: [
    'openai@7',
    'stripe@23',
    'ky@2',
    'got@16',
    'undici@8',
    '@octokit/core@7',
    '@octokit/plugin-throttling@11',
    '@octokit/plugin-retry@8',
    '@azure/core-rest-pipeline@1',
    '@aws-sdk/client-dynamodb@3',
    '@discordjs/rest@2',
    '@slack/web-api@8',
    'axios@1',
    'openapi-fetch@0',
  ],
};

const INSTALL_LIMIT_MS = 300_000;

/**
 * Installs a set, unless the cache has it.
 *
 * @param {keyof typeof SETS} set
 * @returns the folder, the installed versions by name, and a function that imports one of the packages.
 */
export async function installPeers(set) {
  const packages = SETS[set];
  const digest = createHash('sha256').update(packages.join()).digest('hex').slice(0, 8);
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'petstore-bench', `${set}-${digest}`);
  if (!existsSync(folder)) {
    console.log(`\nnpm installs ${packages.join(' ')} in ${folder}`);
    install(folder, packages);
  }
  const names = packages.map((name) => name.slice(0, name.lastIndexOf('@')));
  const versions = Object.fromEntries(names.map((name) => [name, versionOf(folder, name)]));
  process.send?.({ peers: versions });
  const { default: load } = await import(pathToFileURL(join(folder, 'load.mjs')).href);
  return { folder, versions, load };
}

/** Installs next to the final folder, so that an interrupted installation is not used. */
function install(folder, packages) {
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  try {
    writeFileSync(join(temporary, 'package.json'), '{ "private": true, "type": "module" }');
    // Node resolves the names of packages from the file with the import.
    writeFileSync(join(temporary, 'load.mjs'), 'export default (name) => import(name);\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', ['install', '--prefix', temporary, ...options, ...packages], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: INSTALL_LIMIT_MS,
    });
    if (status !== 0) throw new Error(`npm could not install ${packages.join(' ')}`);
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function versionOf(folder, name) {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}
