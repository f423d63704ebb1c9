import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireBuild } from '../support/built.js';
import { IS_FULL } from '../support/random-runs.js';
import { ROOT } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

requireBuild();

/** Processes that see only each other, as in two containers with a network between them. */
const UNSHARE = ['--user', '--map-root-user', '--net', '--mount', '--pid', '--fork', '--kill-child'];

const NETWORK = `set -e
mount -t tmpfs none /run
ip netns add mock
ip netns add tests
ip link add eth0 netns mock type veth peer name eth0 netns tests
ip -n mock address add 10.77.0.1/24 dev eth0
ip -n tests address add 10.77.0.2/24 dev eth0
for name in mock tests; do
  ip -n $name link set eth0 up
  ip -n $name link set lo up
done
inside() {
  namespace=$1
  shift
  nsenter --net=/run/netns/$namespace "$@"
}
inside mock curl --version > /dev/null
`;

/** Two mocks, and clients of both sides. Writes a line for each step. */
const STEPS = `
start() {
  inside mock "$NODE" "$PETSTORE" mock --host 0.0.0.0 --key test-key --ready-file "$@" > /dev/null 2>&1 &
}
status() {
  side=$1 url=$2
  shift 2
  inside $side curl -s -o /dev/null -w "$side $url %{http_code}\\n" --connect-to ::$SERVER "$@" $url
}
start open.json --port 4010 --control-host mock
open=$!
start closed.json --port 4011
until [ -s open.json ] && [ -s closed.json ]; do sleep 0.05; done
SERVER=10.77.0.1
status tests http://mock:4010/__mock/health
status tests http://mock:4010/__mock/clock -d '{"advance":"1s"}'
status tests http://mock:4010/__mock/clock -d '{"advance":"1s"}' -H 'Origin: http://evil.example'
status tests http://evil.example:4010/__mock/health
status tests http://mock:4010/v1/pets -H 'Authorization: Bearer test-key'
status tests http://mock:4011/v1/pets -H 'Authorization: Bearer test-key'
status tests http://mock:4011/__mock/health
SERVER=127.0.0.1
status mock http://127.0.0.1:4011/__mock/health
inside tests curl -sN --connect-to ::10.77.0.1 http://mock:4010/__mock/events > events.txt &
until grep -qs connected events.txt; do sleep 0.05; done
kill -TERM $(sed -n 's/.*"pid": \\([0-9]*\\),/\\1/p' open.json)
wait $open
echo "SIGTERM: exit code $?"
`;

function run(script: string, cwd: string) {
  const env = {
    ...process.env,
    NODE: process.execPath,
    PETSTORE: join(ROOT, 'bin/petstore.cjs'),
    no_proxy: '*',
  };
  return spawnSync('unshare', [...UNSHARE, 'sh', '-c', script], { cwd, env, encoding: 'utf8' });
}

// test/mock/control/access.test.ts has the same rules without a network.
const canRun = IS_FULL && run(NETWORK, ROOT).status === 0;

test.skipIf(!canRun)(
  'containers use the control API of a mock only with --control-host (needs unshare, ip and curl, PETSTORE_TEST_FULL=1)',
  () => {
    const { stdout, stderr } = run(NETWORK + STEPS, temporaryFolder());
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'tests http://mock:4010/__mock/health 200',
      'tests http://mock:4010/__mock/clock 200',
      'tests http://mock:4010/__mock/clock 403',
      'tests http://evil.example:4010/__mock/health 403',
      'tests http://mock:4010/v1/pets 200',
      'tests http://mock:4011/v1/pets 200',
      'tests http://mock:4011/__mock/health 403',
      'mock http://127.0.0.1:4011/__mock/health 200',
      'SIGTERM: exit code 0',
    ]);
  },
  30_000,
);
