/**
 * Replaces node:child_process in bundled packages: commander uses it for executable subcommands, and
 * @inquirer/prompts for its editor. petstore uses neither.
 */
export { fail as spawn, fail as spawnSync };

function fail(): never {
  throw new Error('The bundled packages start no processes');
}
