const NAMES = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'YXRRSET',
  'NXRRSET',
  'NOTAUTH',
  'NOTZONE',
];
const EXTENDED_NAMES: Readonly<Record<number, string>> = { 16: 'BADVERS', 23: 'BADCOOKIE' };

/** The name of a response code of 12 bits; `RCODE` and the number where it has none. */
export function responseCodeName(code: number): string {
  return NAMES[code] ?? EXTENDED_NAMES[code] ?? `RCODE${code}`;
}
