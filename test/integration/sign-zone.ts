import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './programs.js';
import { type ServedZone, zoneText } from './zone-text.js';

const run = promisify(execFile);

/** A signed zone, and the DS records for its parent. */
export interface SignedZone extends ServedZone {
  text: string;
  ds: readonly string[];
}

/** When the signatures are valid, in the format of dnssec-signzone: `-3600` and `+86400` are seconds from now. */
export interface Validity {
  from: string;
  until: string;
}

const VALID: Validity = { from: '-3600', until: '+864000' };
export const EXPIRED: Validity = { from: '-864000', until: '-3600' };

/** Signs a zone with a new key, in a folder of its own. */
export async function signZone(
  folder: string,
  zone: ServedZone,
  { from, until }: Validity = VALID,
): Promise<SignedZone> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'zone');
  if (!readdirSync(folder).some((name) => name.endsWith('.key'))) {
    await start('dnssec-keygen', ['-q', '-K', folder, '-a', 'ECDSAP256SHA256', '-f', 'KSK', zone.name]);
  }
  const keys = readdirSync(folder).filter((name) => name.endsWith('.key'));
  const keyLines = keys.map((name) => readFileSync(join(folder, name), 'utf8'));
  writeFileSync(file, [zoneText(zone), ...keyLines].join('\n'));
  const dates = ['-s', seconds(from), '-e', seconds(until)];
  const options = [
    '-q',
    '-z',
    '-P',
    '-x',
    '-K',
    folder,
    '-d',
    folder,
    '-o',
    zone.name,
    '-f',
    `${file}.signed`,
  ];
  await start('dnssec-signzone', [...options, ...dates, file]);
  const ds = readFileSync(join(folder, `dsset-${zone.name}.`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' '));
  return { ...zone, text: readFileSync(`${file}.signed`, 'utf8'), ds };
}

/** dnssec-signzone counts from now with `now+N`; a time in the past needs a date. */
function seconds(offset: string): string {
  const date = new Date(Date.now() + Number(offset) * 1000);
  return date.toISOString().slice(0, 19).replaceAll(/[-T:]/g, '');
}

async function start(name: string, args: readonly string[]): Promise<void> {
  const program = findProgram(name);
  if (program === undefined) throw new Error(`${name} is not installed`);
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: program.libraryFolders.join(delimiter) };
  await run(program.path, args, { env });
}
