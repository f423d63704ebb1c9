import { UsageError } from '../../errors/usage-error.js';

/** Where a mock is to serve. */
interface Place {
  host: string;
  port: number;
  dnsPort?: number;
}

/** Listens, and says of a failure which flag helps. */
export async function listenOrExplain<T>(listen: () => Promise<T>, place: Place): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    throw explained(error, place);
  }
}

function explained(error: unknown, { host, port, dnsPort }: Place): UsageError {
  // The zone files are read when the DNS begins: their faults name a line.
  if (error instanceof TypeError) {
    return new UsageError(`--dns-zone: ${error.message}`, 'correct the file at that place', error);
  }
  const { code, port: failed } = error as { code?: string; port?: number };
  const isDns = dnsPort !== undefined && dnsPort !== port && failed === dnsPort;
  const [flag, number] = isDns ? ['--dns-port', dnsPort] : ['--port', port];
  if (code === 'EADDRINUSE') {
    return new UsageError(
      `port ${String(number)} is in use`,
      `pass another one with ${flag}, or ${flag} 0 for any free one`,
      error,
    );
  }
  const reason = code ?? 'no reason given';
  if (isDns) {
    const hint = 'pass a port from 1024 up with --dns-port';
    return new UsageError(`can't serve DNS on port ${String(dnsPort)} (${reason})`, hint, error);
  }
  return new UsageError(
    `can't listen on ${host}, port ${String(port)} (${reason})`,
    'pass an address of this machine with --host, and a port from 1024 up with --port',
    error,
  );
}
