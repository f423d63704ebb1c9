import { existsSync } from 'node:fs';
import { loginCommand } from '../../credentials/api-key.js';
import { keySource, maskedKey } from '../../credentials/masked-key.js';
import { describeOrigin } from '../../config/settings.js';
import { hasForeignOwner } from '../../files/ownership.js';
import type { Context } from '../../system/context.js';
import { shellWord } from '../../text/shell-word.js';
import { VERSION } from '../../../version.js';
import { type Check, failedCheck, isKnown, isProblem, isSkipped, skippedCheck } from './check.js';
import { counted } from '../../text/counted.js';
import type { RequestResult } from './request.js';
import type { Setup } from './setup.js';
import type { SettingProblem } from './valid-session.js';

/** The checks of the program and its configuration. */
export function setupChecks(
  setup: Setup,
  settingProblems: readonly SettingProblem[],
  { response }: RequestResult,
  context: Context,
): Check[] {
  return [
    program(context),
    settings(settingProblems),
    config(setup),
    project(setup, context),
    profile(setup),
    baseUrl(setup),
    key(setup, 'key' in response ? response.key : null),
    destination(setup),
  ];
}

function program({ nodeVersion, platform }: Context): Check {
  const id = 'program';
  const details = { version: VERSION, node: nodeVersion, platform, supported: isSupported(nodeVersion) };
  const finding = `petstore ${VERSION}, Node ${nodeVersion}, ${platform}`;
  if (details.supported) return { id, state: 'ok', finding, details };
  const remedy = 'Install Node 20.19 or a later 20, 22.13 or a later 22, or 24 or later.';
  return { id, state: 'warn', finding: `${finding}: this Node version is not supported`, remedy, details };
}

/** As in `engines` of package.json. */
function isSupported(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  return major >= 24 || (major === 20 && minor >= 19) || (major === 22 && minor >= 13);
}

function settings(problems: readonly SettingProblem[]): Check {
  const id = 'settings';
  if (problems.length === 0) return { id, state: 'ok', finding: 'all PETSTORE_ variables are valid' };
  return {
    id,
    state: 'failed',
    finding: problems.map(({ problem }) => problem).join('; '),
    remedy: problems
      .map(({ variable, hint }) => `Unset ${variable}.${hint === undefined ? '' : ` Or: ${hint}`}`)
      .join(' '),
    details: { variables: problems.map(({ variable }) => variable) },
  };
}

const CONFIG_HELP = 'petstore help config';

function config({ config: value }: Setup): Check {
  const id = 'config';
  if (isProblem(value)) return failedCheck(id, value, CONFIG_HELP);
  const { path } = value;
  const details = { path, profiles: Object.keys(value.profiles).length, exists: existsSync(path) };
  const finding = details.exists
    ? `${path}: ${counted(details.profiles, 'profile')}`
    : `${path} does not exist yet`;
  return { id, state: 'ok', finding, details };
}

function project({ project: value }: Setup, context: Context): Check {
  const id = 'project';
  if (value === undefined)
    return { id, state: 'ok', finding: 'no petstore.config.json in this directory or above' };
  if (isProblem(value)) return failedCheck(id, value, CONFIG_HELP);
  const { path } = value;
  const details = { path, foreign: hasForeignOwner(value, context) };
  if (!details.foreign) return { id, state: 'ok', finding: path, details };
  const remedy = `Check its content, then run: sudo chown -h "$(id -u)" ${shellWord(path)}`;
  return { id, state: 'warn', finding: `${path} belongs to another user`, remedy, details };
}

function profile({ profile: value }: Setup): Check {
  const id = 'profile';
  if (value === 'none') return { id, state: 'ok', finding: 'no profile selected' };
  if (isSkipped(value)) return skippedCheck(id, value.skipped);
  if (isProblem(value)) return failedCheck(id, value, 'petstore auth list');
  const { name, from } = value;
  const finding = `${name}, from ${describeOrigin(from, { setting: 'profile' })}`;
  return { id, state: 'ok', finding, details: { name, from } };
}

function baseUrl({ baseUrl: value }: Setup): Check {
  const id = 'base-url';
  if (value === 'none') {
    const remedy = 'Run "petstore auth login --base-url https://HOST/v1", or set PETSTORE_BASE_URL.';
    return { id, state: 'failed', finding: 'no API address configured', remedy };
  }
  if (isSkipped(value)) return skippedCheck(id, value.skipped);
  if (isProblem(value)) return failedCheck(id, value, 'petstore config list --show-origin');
  return { id, state: 'ok', finding: `${value.url}, from ${value.from}`, details: value };
}

function key({ key: value, profile: selected }: Setup, verdict: 'accepted' | 'rejected' | null): Check {
  const id = 'key';
  const login = loginCommand(isKnown(selected) ? selected.name : undefined);
  if (value === 'none') {
    const remedy = `Run "${login}", or set PETSTORE_API_KEY.`;
    return { id, state: 'failed', finding: 'no API key configured', remedy };
  }
  if (isSkipped(value)) return skippedCheck(id, value.skipped);
  if (isProblem(value)) return failedCheck(id, value, login);
  const source = keySource(value);
  const shown = maskedKey(value.secret);
  const details = { source, shown, verdict };
  const finding = `${shown}, from ${source}; ${VERDICTS[verdict ?? 'unknown']}`;
  if (verdict !== 'rejected') return { id, state: 'ok', finding, details };
  const remedy = value.from === 'environment' ? 'Set PETSTORE_API_KEY to a key of this service.' : login;
  return { id, state: 'failed', finding, remedy, details };
}

const VERDICTS = {
  accepted: 'the service accepts it',
  rejected: 'the service rejects it (401)',
  unknown: 'not checked with the service',
};

function destination({ destination: value }: Setup): Check {
  const id = 'destination';
  if (isSkipped(value)) return skippedCheck(id, value.skipped);
  if (isProblem(value)) return failedCheck(id, value, 'Pass --base-url.');
  return { id, state: 'ok', finding: `the key may be sent to ${value.origin}`, details: value };
}
