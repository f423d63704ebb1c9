// Runs the script of a benchmark in a process of its own, and collects what it reports.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WRAPPER = fileURLToPath(new URL('run-script.mjs', import.meta.url));

/**
 * Runs a script. Its exit code is 1 after an error, but also if a bar is missed: `isComplete` says whether it reached its end.
 *
 * @param {string[]} args path of the script, and its arguments.
 * @param {{ node: string, env: Record<string, string> }} options `node` is the path of the executable.
 */
export function collectResults(args, { node, env }) {
  const child = spawn(node, [WRAPPER, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  const results = { rows: [], peers: {}, isComplete: false };
  child.on('message', ({ row, peers, ...rest }) => {
    if (row !== undefined) results.rows.push(row);
    Object.assign(results.peers, peers);
    Object.assign(results, rest);
  });
  // Not "exit": messages can follow it.
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...results })));
}
