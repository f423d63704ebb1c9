/** The exit codes by name. No other file contains these numbers. */
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

/** All exit codes, in the order of `petstore help exit-codes`. A summary says when the code is used. No final period. */
export const EXIT_CODES = [
  { code: EXIT.ok, name: 'ok', summary: 'Done; domain: verified or active' },
  {
    code: EXIT.failed,
    name: 'failed',
    summary:
      'Unexpected error, or the output flags do not fit the response; domain: action required; import: some rows rejected; export: may be incomplete',
  },
  {
    code: EXIT.usage,
    name: 'usage',
    summary: 'A flag, argument, file or setting is wrong; nothing was sent',
  },
  { code: EXIT.auth, name: 'auth', summary: 'No API key, or the service rejected it (401)' },
  { code: EXIT.notFound, name: 'not-found', summary: '404, or not found among the pets that can be listed' },
  {
    code: EXIT.rejected,
    name: 'rejected',
    summary: 'The service rejected the request (400, or another 4xx without its own exit code)',
  },
  {
    code: EXIT.rateLimited,
    name: 'rate-limited',
    summary: '429, and the wait is longer than --max-wait allows',
  },
  {
    code: EXIT.unavailable,
    name: 'unavailable',
    summary: 'Connection failure, time-out (also 408), 5xx, or invalid response',
  },
  {
    code: EXIT.pending,
    name: 'pending',
    summary: 'Domain: correct at the source and still propagating, no certificate yet, or --wait timed out',
  },
  {
    code: EXIT.inconclusive,
    name: 'inconclusive',
    summary: 'Domain: could not check, because no resolver or name server responded',
  },
  {
    code: EXIT.unknownOutcome,
    name: 'unknown-outcome',
    summary: 'A write was sent and no response shows its outcome; it may or may not have been carried out',
  },
  { code: EXIT.hungUp, name: 'interrupted', summary: 'Terminal closed (SIGHUP)' },
  { code: EXIT.interrupted, name: 'interrupted', summary: 'Stopped by ^C (SIGINT)' },
  { code: EXIT.terminated, name: 'interrupted', summary: 'Stopped by SIGTERM' },
];
