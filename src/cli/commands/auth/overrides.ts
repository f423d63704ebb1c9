import type { Session } from '../../session/action.js';
import { selectProfile, type Origin, describeOrigin } from '../../config/settings.js';
import { type ProjectFile, readProjectFile } from '../../config/config-files.js';
import { variable } from '../../system/context.js';

/** Warns where the environment or a project file has another profile in use than the one that was just chosen. */
export function warnIfProfileOverridden(profile: string, session: Session): void {
  const project = nearestProject(session);
  const stronger = selectProfile({}, { env: session.context.env }, { project, config: {} });
  if (stronger === undefined || stronger.name === profile) return;
  session.warn(`${wins(stronger.from, 'profile', project)}: ${stronger.name} is still in use here`);
}

/** Warns where the environment or a project file has another address in use than the one that was just stored. */
export function warnIfBaseUrlOverridden(baseUrl: string, session: Session): void {
  const named = variable(session.context, 'PETSTORE_BASE_URL');
  const project = nearestProject(session);
  const stronger = named ?? project?.baseUrl;
  if (stronger === undefined || !URL.canParse(stronger)) return;
  const { href, origin } = new URL(stronger);
  if (href === baseUrl) return;
  session.warn(
    `${wins(named === undefined ? 'project' : 'environment', 'baseUrl', project)}: requests from here go to ${origin}`,
  );
}

function wins(from: Origin, setting: 'profile' | 'baseUrl', project: ProjectFile | undefined): string {
  const place = describeOrigin(from, { setting, project: project?.path });
  return `${place} ${from === 'project' ? 'names another' : 'is set'}, and wins`;
}

/** What is wrong with it is for the commands that go by it to say. */
function nearestProject({ context }: Session): ProjectFile | undefined {
  try {
    return readProjectFile(context.currentDirectory);
  } catch {
    return undefined;
  }
}
