import { hash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { systemErrorCode } from './system-error.js';

// Who owns a lock, and whether that process is alive.
//
// Linux: the boot and the namespaces of PIDs and times make PID and start time unique (pid_namespaces(7),
// time_namespaces(7), proc_pid_stat(5)). The owner is alive if its PID exists with the same start time; otherwise it
// is dead.
//
// macOS, Windows and others have no /proc, and Node reads no start time there. The name of the host and the addresses
// of its network cards stand for the machine. A PID that does not exist is dead. A PID that exists may have been used
// again: its state is unknown. So a process there that is suspended for 15 s loses its lock. The same holds where
// /proc is hidden, in another container, and on another machine.
//
// What can't be read means unknown, never dead.

/** The name of an owner: machine, PID, start time, random part. A draft has more after a dot. */
const OWNER = /^([\w.-]*)_(\d+)_(\w*)_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** Returns a new name for this process. */
export function createOwnerName(): string {
  return `${thisMachine()}_${String(process.pid)}_${startOf(String(process.pid))}_${randomUUID()}`;
}

/** Returns the owner of a file in a lock: of its name, or of a draft. Returns `undefined` for other files. */
export function ownerOf(file: string): string | undefined {
  const owner = OWNER.exec(file)?.[0];
  return file === owner || file.startsWith(`${String(owner)}.`) ? owner : undefined;
}

/** Returns whether an owner is alive. */
export function stateOfOwner(owner: string): 'alive' | 'dead' | 'unknown' {
  const [, machine = '', pid = '', startedAt = ''] = OWNER.exec(owner) ?? [];
  if (machine === '' || machine !== thisMachine()) return 'unknown';
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // EPERM: the process belongs to another user.
    if (systemErrorCode(error) === 'ESRCH') return 'dead';
  }
  const found = startOf(pid);
  // The owner could not read its start time, such as without a free descriptor, or this process can't.
  if (found === '' || startedAt === '') return 'unknown';
  return found === startedAt ? 'alive' : 'dead';
}

/** Returns a name of what makes PIDs and start times unique. Returns an empty string if it can't be read. */
function thisMachine(): string {
  try {
    const facts = process.platform === 'linux' ? linuxFacts() : otherFacts();
    return facts === undefined ? '' : hash('sha1', facts.join()).slice(0, 16);
  } catch {
    return '';
  }
}

function linuxFacts(): string[] | undefined {
  // /proc shows other PIDs than those of this process.
  if (readlinkSync('/proc/self') !== String(process.pid)) return undefined;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return [boot, namespaceOf('pid'), namespaceOf('time')];
}

/** Returns the name of a namespace, such as `pid:[4026531836]`. */
function namespaceOf(kind: 'pid' | 'time'): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch (error) {
    // Linux before 5.6 has no namespaces of times.
    if (kind === 'time' && systemErrorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Two machines can have the same host name, so the addresses of the network cards are added. */
function otherFacts(): string[] | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.filter(({ internal }) => !internal).map(({ mac }) => mac),
  );
  return addresses.length === 0 ? undefined : [hostname(), ...new Set(addresses.sort())];
}

/**
 * Returns when a process of this machine started, because PIDs are used again; `ended` for a zombie. Returns an empty
 * string if unknown. See proc_pid_stat(5): the name of the program is in parentheses, and may contain some.
 */
function startOf(pid: string): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
