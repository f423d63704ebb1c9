import type { Session } from '../../session/action.js';
import { type Origin, describeOrigin, resolveSettings } from '../../config/settings.js';
import { readConfigFile } from '../../config/config-files.js';
import { variable } from '../../system/context.js';
import type { ConfigKey } from './keys.js';

/** A setting as it is in force. */
export interface EffectiveSetting {
  key: ConfigKey;
  /** Absent where nothing says one. */
  value?: string | readonly string[];
  /** What says it: a flag, a variable, a file. */
  origin?: string;
}

/** Finds what is in force for each setting, and what says so. */
export function effectiveSettings(session: Pick<Session, 'global' | 'context'>): EffectiveSetting[] {
  const { global, context } = session;
  const settings = resolveSettings(global, context);
  const { path, trustedUrls } = readConfigFile(context);
  const { entry, profile, profileFrom, baseUrl, baseUrlFrom, format, color, project } = settings;
  const places = { project: project?.path, profile: `${String(profile)} in ${path}`, config: path };
  const own = (key: 'stagingUrl' | 'trustedUrls'): Omit<EffectiveSetting, 'key'> =>
    entry?.[key] === undefined ? {} : { value: entry[key], origin: describeOrigin('profile', places) };
  const said = (value: string | undefined, origin: Origin | undefined): Omit<EffectiveSetting, 'key'> =>
    value === undefined || origin === undefined ? {} : { value, origin: describeOrigin(origin, places) };
  return [
    { key: 'profile', ...said(profile, profileFrom) },
    { key: 'baseUrl', ...said(baseUrl, baseUrlFrom) },
    { key: 'stagingUrl', ...own('stagingUrl') },
    { key: 'output', ...said(format, originOf(global.format, variable(context, 'PETSTORE_OUTPUT'))) },
    {
      key: 'color',
      ...said(color ?? entry?.color, originOf(global.color, variable(context, 'PETSTORE_COLOR'))),
    },
    {
      key: 'trustedUrls',
      ...(entry?.trustedUrls === undefined && trustedUrls !== undefined
        ? { value: trustedUrls, origin: path }
        : own('trustedUrls')),
    },
  ];
}

function originOf(flag: string | undefined, fromEnvironment: string | undefined): Origin {
  if (flag !== undefined) return 'flag';
  return fromEnvironment === undefined ? 'profile' : 'environment';
}
