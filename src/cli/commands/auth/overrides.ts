import type { Session } from '../../session/action.js';
import { describeOrigin, type Origin, selectProfile } from '../../config/settings.js';
import { type ProjectFile, readProjectFile } from '../../config/config-files.js';
import { variable } from '../../system/context.js';

/** Warns if the environment or a project file overrides the profile that was just chosen. */
export function warnIfProfileOverridden(profile: string, session: Session): void {
  const project = nearestProject(session);
  const override = selectProfile({}, { env: session.context.env }, { project, config: {} });
  if (override === undefined || override.name === profile) return;
  const source = sourceOf(override.from, 'profile', project);
  session.warn(`Commands in this directory still use profile "${override.name}", selected by ${source}.`);
}

/**
 * Warns if the environment or a project file still selects a profile that no longer exists.
 *
 * @param remedy what the user can do there, as a sentence.
 */
export function warnIfStillSelected(profile: string, remedy: string, session: Session): void {
  const project = nearestProject(session);
  if (variable(session.context, 'PETSTORE_PROFILE') === profile)
    session.warn(`PETSTORE_PROFILE still selects profile "${profile}". ${remedy}`);
  if (project?.profile === profile)
    session.warn(`${project.path} still selects profile "${profile}". ${remedy}`);
}

/** Warns if the environment or a project file overrides the address that was just stored. */
export function warnIfBaseUrlOverridden(baseUrl: string, session: Session): void {
  const named = variable(session.context, 'PETSTORE_BASE_URL');
  const project = nearestProject(session);
  const override = named ?? project?.baseUrl;
  if (override === undefined || !URL.canParse(override)) return;
  const { href, origin } = new URL(override);
  if (href === baseUrl) return;
  const source = sourceOf(named === undefined ? 'project' : 'environment', 'baseUrl', project);
  session.warn(`Commands in this directory still send requests to ${origin}, set by ${source}.`);
}

function sourceOf(from: Origin, setting: 'profile' | 'baseUrl', project: ProjectFile | undefined): string {
  return describeOrigin(from, { setting, project: project?.path });
}

/** Ignores an invalid file: commands that use it report the error. */
function nearestProject({ context }: Session): ProjectFile | undefined {
  try {
    return readProjectFile(context.currentDirectory);
  } catch {
    return undefined;
  }
}
