/** What the process may end with. */
export interface ExitCode {
  code: number;
  name: string;
  /** When. One sentence without a full stop. */
  summary: string;
}

/** The exit codes by name: no other file writes down one of these numbers. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  rejected: 5,
  rateLimited: 6,
  unavailable: 7,
  pending: 8,
  inconclusive: 9,
  unknownOutcome: 10,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** All of them, in the order of `petstore help exit-codes`. Data and nothing else: the start of the program reads it. */
export const EXIT_CODES: readonly ExitCode[] = [
  { code: EXIT.ok, name: 'ok', summary: 'done; of a domain: verified or active' },
  {
    code: EXIT.failed,
    name: 'failed',
    summary:
      'an unexpected error, or an answer came and what was asked of the output does not suit it; of a domain: ' +
      'something has to be changed; of an import: some rows were refused',
  },
  {
    code: EXIT.usage,
    name: 'usage',
    summary: 'a flag, argument, file or setting is wrong; nothing was sent',
  },
  { code: EXIT.auth, name: 'auth', summary: 'no API key, or the service does not know it (401)' },
  { code: EXIT.notFound, name: 'not-found', summary: '404, or not found in what can be listed' },
  {
    code: EXIT.rejected,
    name: 'rejected',
    summary: 'the service refused the request (400, or another 4xx that has no code of its own here)',
  },
  {
    code: EXIT.rateLimited,
    name: 'rate-limited',
    summary: '429, and the wait is longer than --max-wait allows',
  },
  {
    code: EXIT.unavailable,
    name: 'unavailable',
    summary: "no connection, a time-out (also 408), 5xx, or an answer that can't be understood",
  },
  {
    code: EXIT.pending,
    name: 'pending',
    summary:
      'of a domain: right at the source and not yet everywhere, or no certificate yet, or --wait ran out',
  },
  {
    code: EXIT.inconclusive,
    name: 'inconclusive',
    summary: 'of a domain: no resolver or name server answered',
  },
  {
    code: EXIT.unknownOutcome,
    name: 'unknown-outcome',
    summary: 'a write was sent and no answer came: it may or may not have been carried out',
  },
  { code: EXIT.hungUp, name: 'hung-up', summary: 'stopped because the terminal has gone (SIGHUP)' },
  { code: EXIT.interrupted, name: 'interrupted', summary: 'stopped by ^C' },
  { code: EXIT.terminated, name: 'terminated', summary: 'stopped by SIGTERM' },
];
