import { rmSync } from 'node:fs';
import type { Context } from '../../context.js';
import type { DnsAddress } from './dns-zones.js';
import { resolvePath } from '../../resolve-path.js';
import { writeWhole } from './whole-file.js';

/** Where a mock serves, for programs that wait for it. */
export interface MockAddress {
  pid: number;
  /** Which mock this is: also in the header `X-Mock-Instance` of its answers. */
  id: string;
  url: string;
  baseUrl: string;
  port: number;
  /** With --dns-port. */
  dns?: DnsAddress;
  keys: readonly string[];
}

/** Writes the ready file. It appears whole: who sees it can read it. */
export function writeReadyFile(file: string, address: MockAddress, context: Context): void {
  writeWhole(file, `${JSON.stringify(address, null, 2)}\n`, context);
}

/** Takes the ready file away; it may be gone already. */
export function removeReadyFile(file: string, context: Context): void {
  rmSync(resolvePath(file, context), { force: true });
}
