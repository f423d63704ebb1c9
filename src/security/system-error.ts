/** What the codes of system errors mean, in words that follow the name of a file or an address. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EBUSY: 'in use by another program',
  EDQUOT: 'your disk quota is used up',
  EEXIST: 'a file of this name exists',
  EFBIG: 'the file is larger than the system allows',
  EIO: 'the disk failed',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many open files',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ETXTBSY: 'in use by another program',
};

/** Returns the code of a system error, such as `EACCES`; `undefined` for other errors. */
export function systemErrorCode(error: unknown): string | undefined {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Returns what a system error means, such as `permission denied`; otherwise its code or message. */
export function systemErrorReason(error: unknown): string {
  const code = systemErrorCode(error) ?? (error instanceof Error ? error.message : 'unknown reason');
  return Object.hasOwn(MEANINGS, code) ? (MEANINGS[code] ?? code) : code;
}

/** Whether a file or a folder of its path does not exist. */
export function isMissing(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
