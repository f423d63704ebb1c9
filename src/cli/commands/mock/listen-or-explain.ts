import type { MockOptions } from './mock-flags.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorReason } from '../../../security/system-error.js';

type Ports = Pick<MockOptions, 'host' | 'port' | 'dnsPort'>;

/** Listens, and converts a failure to a usage error that names the flag. */
export async function listenOrExplain<T>(listen: () => Promise<T>, ports: Ports): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    throw explained(error, ports);
  }
}

function explained(error: unknown, { host, port, dnsPort }: Ports): UsageError {
  // Zone files are parsed when the DNS starts. The message contains the line.
  if (error instanceof TypeError) {
    return new UsageError(`--dns-zone: ${error.message}`, 'Correct the zone file at this line.', error);
  }
  const { code, port: failed } = error as { code?: string; port?: number };
  const isDns = dnsPort !== undefined && dnsPort !== port && failed === dnsPort;
  const [flag, number] = isDns ? ['--dns-port', dnsPort] : ['--port', port];
  if (code === 'EADDRINUSE') {
    return new UsageError(
      `Port ${String(number)} is in use`,
      `Pass another port with ${flag}, or ${flag} 0 for any free port.`,
      error,
    );
  }
  const reason = systemErrorReason(error);
  if (isDns) {
    const hint = 'Pass a port of 1024 or more with --dns-port.';
    return new UsageError(`Can't serve DNS on port ${String(dnsPort)} (${reason})`, hint, error);
  }
  return new UsageError(
    `Can't listen on ${host}, port ${String(port)} (${reason})`,
    'Pass an address of this machine with --host, and a port of 1024 or more with --port.',
    error,
  );
}
