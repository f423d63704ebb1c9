/**
 * Replaces node:child_process in bundled packages: commander uses it for commands that are programs of their own, and
 * @inquirer/prompts for its editor. Neither is used here.
 */
export { refuse as spawn, refuse as spawnSync };

function refuse(): never {
  throw new Error('The bundled packages start no processes');
}
