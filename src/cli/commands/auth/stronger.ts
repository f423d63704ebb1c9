import type { Session } from '../../action.js';
import { type ProjectFile, readProjectFile } from '../../config-files.js';
import { variable } from '../../context.js';

/** Warns where the environment or a project file has another profile in use than the one that was just chosen. */
export function warnOfStrongerProfile(profile: string, session: Session): void {
  const named = variable(session.context, 'PETSTORE_PROFILE');
  const project = nearestProject(session);
  const stronger = named ?? project?.profile;
  if (stronger === undefined || stronger === profile) return;
  session.warn(`${wins(named, 'PETSTORE_PROFILE', project)}: ${stronger} is still in use here`);
}

/** Warns where the environment or a project file has another address in use than the one that was just stored. */
export function warnOfStrongerBaseUrl(baseUrl: string, session: Session): void {
  const named = variable(session.context, 'PETSTORE_BASE_URL');
  const project = nearestProject(session);
  const stronger = named ?? project?.baseUrl;
  if (stronger === undefined || !URL.canParse(stronger)) return;
  const { href, origin } = new URL(stronger);
  if (href === baseUrl) return;
  session.warn(`${wins(named, 'PETSTORE_BASE_URL', project)}: requests from here go to ${origin}`);
}

function wins(named: string | undefined, name: string, project: ProjectFile | undefined): string {
  return named === undefined
    ? `${String(project?.path)} names another, and wins`
    : `${name} is set, and wins`;
}

/** What is wrong with it is for the commands that go by it to say. */
function nearestProject({ context }: Session): ProjectFile | undefined {
  try {
    return readProjectFile(context.currentDirectory);
  } catch {
    return undefined;
  }
}
