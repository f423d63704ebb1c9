import type { Session } from '../../session/action.js';
import { type Origin, describeOrigin, type OriginNames, resolveSettings } from '../../config/settings.js';
import { readConfigFile } from '../../config/config-files.js';
import { variable } from '../../system/context.js';
import type { ConfigKey } from './keys.js';

/** A setting with its effective value. */
export interface EffectiveSetting {
  key: ConfigKey;
  /** Absent if not set. */
  value?: string | readonly string[];
  /** The flag, variable or file that sets it. */
  origin?: string;
}

/** The effective value of each setting and its origin. */
export function effectiveSettings(session: Pick<Session, 'global' | 'context'>): EffectiveSetting[] {
  const { global, context } = session;
  const settings = resolveSettings(global, context);
  const { path, trustedUrls } = readConfigFile(context);
  const { entry, profile, profileFrom, baseUrl, baseUrlFrom, format, color, project } = settings;
  const names = { project: project?.path, profile: `${String(profile)} in ${path}`, config: path };
  const own = (key: 'stagingUrl' | 'trustedUrls'): Omit<EffectiveSetting, 'key'> =>
    entry?.[key] === undefined ? {} : { value: entry[key], origin: describeOrigin('profile', names) };
  const effective = (
    setting: NonNullable<OriginNames['setting']>,
    value: string | undefined,
    origin: Origin | undefined,
  ): EffectiveSetting =>
    value === undefined || origin === undefined
      ? { key: setting }
      : { key: setting, value, origin: describeOrigin(origin, { ...names, setting }) };
  return [
    effective('profile', profile, profileFrom),
    effective('baseUrl', baseUrl, baseUrlFrom),
    { key: 'stagingUrl', ...own('stagingUrl') },
    effective('output', format, originOf(global.format, variable(context, 'PETSTORE_OUTPUT'))),
    effective('color', color ?? entry?.color, originOf(global.color, variable(context, 'PETSTORE_COLOR'))),
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
