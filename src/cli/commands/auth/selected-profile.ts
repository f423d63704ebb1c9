import type { Session } from '../../session/session.js';
import { quoted } from '../../command-line/flag-values.js';
import { keyFileName } from '../../settings/credentials/key-place.js';
import type { UnusedKeys } from '../../settings/credentials/stored-keys.js';
import { UsageError } from '../../errors/usage-error.js';
import { describeOrigin, selectProfile } from '../../settings/config/settings.js';
import { type ProjectFile, readProjectFile } from '../../settings/config/config-files.js';

/** The name of the first profile. */
export const DEFAULT_PROFILE = 'default';

/** Most file systems allow 255 bytes, encrypted ones fewer. The digest of an origin and a temporary file need a few more. */
const FILE_NAME_MAX_BYTES = 200;

/** @throws UsageError for a name that looks like a flag, or that no key file can have. */
export function checkProfileName(name: string): string {
  const isName = /^[\p{L}\p{N}_][\p{L}\p{N}_.@-]{0,63}$/u.test(name) && name !== '__proto__';
  // The file name is ASCII, so each character is one byte.
  if (isName && keyFileName({ profile: name, location: 'file' }).length <= FILE_NAME_MAX_BYTES) return name;
  if (isName) {
    throw new UsageError(
      `Profile name ${quoted(name)} is too long for the name of a key file`,
      'Use a shorter name. Letters other than a to z need several bytes.',
    );
  }
  throw new UsageError(
    `Invalid profile name ${quoted(name)}`,
    'Use at most 64 letters, digits and the characters . _ @ -, starting with a letter, digit or _.',
  );
}

/** The selected profile. @throws UsageError if none is selected. */
export function requireProfile({ settings }: Pick<Session, 'settings'>): string {
  if (settings.profile !== undefined) return settings.profile;
  if (settings.profileNames.length === 0) throw noProfiles();
  throw new UsageError(
    'No profile selected',
    'Pass --profile NAME. "petstore auth list" shows the profiles.',
  );
}

/** The error of a command that needs a profile, if there is none. */
export function noProfiles(): UsageError {
  return new UsageError('There are no profiles yet', 'Run "petstore auth login" to create one.');
}

/** Prompts for a decision. The first answer is "No". */
export async function isConfirmed(question: string, yes: string, session: Session): Promise<boolean> {
  const prompter = await session.prompter();
  const answer = await prompter.choose(question, [
    { name: 'No', value: 'no' },
    { name: yes, value: 'yes' },
  ]);
  return answer === 'yes';
}

/** Warns of a key that no profile uses and that could not be removed. */
export function warnOfUnusedKeys({ problem }: UnusedKeys, session: Session): void {
  if (problem !== undefined) session.warn(problem);
}

/** Warns if the environment or a project file overrides the profile that was just chosen. */
export function warnIfProfileOverridden(profile: string, session: Session): void {
  const project = nearestProject(session);
  const override = selectProfile({}, { env: session.context.env }, { project, config: {} });
  if (override === undefined || override.name === profile) return;
  const source = describeOrigin(override.from, { setting: 'profile', project: project?.path });
  session.warn(`Commands in this directory still use profile "${override.name}", selected by ${source}.`);
}

/** Ignores an invalid file: commands that use it report the error. */
function nearestProject({ context }: Session): ProjectFile | undefined {
  try {
    return readProjectFile(context.currentDirectory);
  } catch {
    return undefined;
  }
}
