import type { FaultProfile } from '../../service/fault-profiles.js';
import type { ActiveFault } from '../state/wire.js';

/** The values of the parameters of a profile, as typed. Empty means the default. */
export type FaultValues = Readonly<Record<string, string>>;

/** Returns the text that the mock parses, such as `slow:ms=250`. */
export function faultSpec(name: string, values: FaultValues): string {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  if (given.length === 0) return name;
  return `${name}:${given.map(([parameter, value]) => `${parameter}=${value.trim()}`).join(',')}`;
}

/** The active faults that were made from a profile. */
export function faultsOfProfile({ name }: FaultProfile, faults: readonly ActiveFault[]): ActiveFault[] {
  return faults.filter(({ spec }) => spec?.split(':', 1)[0] === name);
}

/** Describes a fault that was passed as an object. */
export function describeFault({ route, action, times, skip, probability }: ActiveFault): string {
  const parts = [
    typeof action === 'string' ? action : JSON.stringify(action).replace(/[{}"]/g, ''),
    ...(route === undefined ? [] : [route]),
    ...Object.entries({ skip, times, probability }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} ${String(value)}`],
    ),
  ];
  return parts.join(', ');
}
