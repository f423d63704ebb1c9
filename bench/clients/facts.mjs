// Size and start-up of a client: facts without a bar.
import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { cleanEnv, median } from '../measure.mjs';

const ROUNDS = 5;

/** What a program imports first. */
const IMPORTS = {
  petstore:
    "import { createPetStore } from 'petstore'; createPetStore({ apiKey: 'k', baseUrl: 'http://127.0.0.1/v1' });",
  openai: "import OpenAI from 'openai'; new OpenAI({ apiKey: 'k' });",
  stripe: "import Stripe from 'stripe'; new Stripe('k');",
  ky: "import ky from 'ky'; ky.create({});",
  got: "import got from 'got'; got.extend({});",
  axios: "import axios from 'axios'; axios.create({});",
  'openapi-fetch': "import createClient from 'openapi-fetch'; createClient({});",
  undici: "import { Agent, RetryAgent } from 'undici'; new RetryAgent(new Agent());",
  octokit:
    "import { Octokit } from '@octokit/core'; import { throttling } from '@octokit/plugin-throttling'; import { retry } from '@octokit/plugin-retry'; new (Octokit.plugin(throttling, retry))({ throttle: { onRateLimit() {}, onSecondaryRateLimit() {} } });",
  azure:
    "import { createDefaultHttpClient, createPipelineFromOptions } from '@azure/core-rest-pipeline'; createPipelineFromOptions({}); createDefaultHttpClient();",
  aws: "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'; new DynamoDBClient({ region: 'eu-central-1' });",
  discord: "import { REST } from '@discordjs/rest'; new REST();",
  slack: "import { WebClient } from '@slack/web-api'; new WebClient('k');",
};

export const FACTS = [
  { id: 'bundle', title: 'Bundle for Node.js, minified and gzipped', want: '' },
  { id: 'import', title: 'Import and construct, above `node -e 0`', want: '' },
];

/** @param {string} folder where the packages are. */
export async function factsOf(name, folder) {
  const contents = IMPORTS[name];
  return {
    bundle: { text: await bundleText(contents, folder), good: null },
    import: { text: importTime(contents, folder), good: null },
  };
}

/** undici is a large part of some. In browsers fetch replaces it. */
async function bundleText(contents, folder) {
  const [whole, rest] = [
    await bundleSize(contents, folder, []),
    await bundleSize(contents, folder, ['undici']),
  ];
  return whole === rest || contents.includes("'undici'")
    ? `${whole} kB`
    : `${whole} kB, ${rest} without undici`;
}

async function bundleSize(contents, resolveDir, external) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    // An optional package of petstore, which is not part of a client.
    external: ['@redis/client', ...external],
    logLevel: 'error',
  });
  const bytes = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  return Math.round(bytes / 1_000);
}

function importTime(contents, cwd) {
  const run = (text) => {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
      cwd,
      env: cleanEnv(),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return performance.now() - startedAt;
  };
  run(contents);
  const extra = Array.from({ length: ROUNDS }, () => run(`${contents} process.exit()`) - run('0'));
  return `${Math.round(median(extra))} ms`;
}
