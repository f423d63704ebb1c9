import type { KnownFault } from './fault.js';
import type { Handshake, HandshakeFailure } from '../../inspector.js';

/** Everything that was found out, good or bad. What to think of it is decided elsewhere. */
export interface DoctorFacts {
  program: { version: string; nodeVersion: string; platform: string };
  config: ConfigFact;
  /** The profile in use; absent where there is none, or it can't be told. */
  profile?: string;
  /** Absent where there is no project file. */
  project?: { path: string } | KnownFault;
  baseUrl: { url: string; from: string } | KnownFault | 'none' | 'not needed';
  key: KeyFact | KnownFault | 'none' | 'not needed';
  /** Absent where the system has no file modes. */
  openPlaces?: readonly OpenPlace[];
  gate: GateFact | KnownFault;
  proxy: { address: string; from: string } | KnownFault | 'none';
  /** `NODE_EXTRA_CA_CERTS`, and why it can't be read where it can't. */
  extraAuthorities?: { file: string; fault?: string };
  /** Whether `NODE_TLS_REJECT_UNAUTHORIZED` has all certificates accepted. */
  acceptsAnyCertificate: boolean;
  resolvers: readonly string[];
  connection: ConnectionFact;
  service: ServiceFact;
  /** Milliseconds since the epoch. */
  now: number;
}

export type ConfigFact = { path: string; profiles: number; profile?: string; exists: boolean } | KnownFault;

export interface KeyFact {
  source: string;
  /** As it may be shown. */
  shown: string;
}

/** A file or directory that others can look into or write to. */
export interface OpenPlace {
  path: string;
  /** Such as 0o644. */
  mode: number;
  holds: 'a key' | 'configuration' | 'state';
  isDirectory: boolean;
}

export type GateFact =
  | { kind: 'memory' }
  | { kind: 'file'; directory: string; obstacle?: string }
  | { kind: 'redis'; address: string; obstacle?: string };

/** Whether a connection to the service could be made; otherwise why it was not tried. */
export type ConnectionFact = { host: string; port: number; seen: Handshake | HandshakeFailure } | NotAsked;

/** What came of the one request; otherwise why none was sent. */
export type ServiceFact = Answered | { fault: KnownFault } | NotAsked;

export interface Answered {
  key: 'accepted' | 'refused';
  /** Whether the rate limit is used up. */
  isLimited: boolean;
  /** The answer's `Date` less this machine's clock in the middle of the exchange. */
  skewMs?: number;
}

export interface NotAsked {
  notAsked: string;
}
