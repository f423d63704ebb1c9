// The duration of `npm test`.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { report, ROOT, verdict } from './measure.mjs';

const SECONDS_MAX = 240;

const startedAt = performance.now();
const { status } = spawnSync('npm', ['test'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
const seconds = Math.round((performance.now() - startedAt) / 1_000);
const goal = { bar: `≤ ${SECONDS_MAX} s`, met: status === 0 && seconds <= SECONDS_MAX };
const name = `npm test, ${cpus().length} cores`;
report({ title: 'tests', name, value: status === 0 ? `${seconds} s` : `failed with ${status}`, ...goal });
console.log(`\n${name}: ${seconds} s${verdict(goal)}`);
