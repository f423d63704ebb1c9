import type { KnownBudget } from '../../../client/index.js';
import type { Origin } from '../../config/settings.js';
import type { ColorLevel } from '../../output/index.js';
import type { Handshake, HandshakeFailure } from '../../system/inspector.js';

/** Everything that was found out, good or bad. What to think of it is decided elsewhere. */
export interface DoctorFacts extends MachineFacts, NetworkFacts {}

/** What can be seen without the network. */
export interface MachineFacts {
  program: { version: string; nodeVersion: string; platform: string };
  /** Variables that hold what nobody understands. */
  settings: readonly SettingFault[];
  config: { path: string; profiles: number; exists: boolean } | KnownFault;
  /** Absent where there is no project file. */
  project?: { path: string; isForeign: boolean } | KnownFault;
  profile: { name: string; from: Origin } | KnownFault | NotAsked | 'none';
  baseUrl: { url: string; from: string } | KnownFault | NotAsked | 'none' | 'not needed';
  key: KeyFact | KnownFault | NotAsked | 'none' | 'not needed';
  /** Whether the key may go to the base URL. */
  destination: { origin: string } | KnownFault | NotAsked;
  /** Absent where the system has no file modes. */
  openPlaces?: readonly OpenPlace[] | undefined;
  proxy: ProxyFact | KnownFault | NotAsked | 'none';
  /** The files of `--ca` and `NODE_EXTRA_CA_CERTS`. */
  authorities: readonly AuthorityFile[];
  /** Whether `NODE_TLS_REJECT_UNAUTHORIZED` has all certificates accepted. */
  acceptsAnyCertificate: boolean;
  completion: { path: string; pets: number } | ({ path: string } & KnownFault);
  terminal: { isTTY: boolean; width: number; colorLevel: ColorLevel; decidedBy: string };
  /** Milliseconds since the epoch. */
  now: number;
}

/** What others told, or did not. */
export interface NetworkFacts {
  gate: GateFact | KnownFault;
  resolvers: ResolversFact;
  connection: ConnectionFact;
  service: ServiceFact;
}

export interface SettingFault extends KnownFault {
  variable: string;
}

export interface KeyFact {
  source: string;
  /** As it may be shown. */
  shown: string;
}

/** A file or directory of the program that others can look into or write to. */
export interface OpenPlace {
  path: string;
  /** Such as 0o644. */
  mode: number;
  holds: 'a key' | 'configuration' | 'state' | 'code';
  isDirectory: boolean;
  /** The user whose it is, where that is another one. */
  ownerId?: number;
  /** Whether others may look, so that only writing is to be taken from them. */
  isShared: boolean;
}

/** The proxy in force, without its password; or the one that the environment names and this host goes without. */
export type ProxyFact =
  | { address: string; hasLogin: boolean; from: string }
  | { from: string; because: { variable: string; entry: string } | 'loopback' };

export type AuthorityFile = { source: '--ca' | 'NODE_EXTRA_CA_CERTS'; file: string } & (
  { certificates: number } | KnownFault
);

export type GateFact = (
  { kind: 'memory' } | { kind: 'file'; directory: string } | { kind: 'redis'; address: string }
) & {
  obstacle?: GateObstacle;
  /** Absent where it is not known whose it would be, or none is kept. */
  budget?: KnownBudget;
  /** Of `--reserve`. */
  reservePercent?: number;
};

/** Why the budget can't be kept there. */
export type GateObstacle =
  | { kind: 'no-directory'; path: string }
  /** The code is the system's, such as `EACCES`. */
  | { kind: 'unwritable'; path: string; code: string }
  /** As the Redis, or the way to it, has it. */
  | { kind: 'unanswered'; reason: string };

/** The resolvers of the machine, and what they said of the base URL's host. */
export interface ResolversFact {
  servers: readonly string[];
  asked: { name: string; answers: readonly ResolverAnswer[] } | NotAsked;
}

export type ResolverAnswer = { resolver: string } & (
  | { addresses: readonly string[] }
  /** Such as `ENOTFOUND`. */
  | { code: string }
);

/** Whether a connection to the service could be made; otherwise why it was not tried. */
export type ConnectionFact = { host: string; port: number; seen: Handshake | HandshakeFailure } | NotAsked;

/** What came of the one request; otherwise why none was sent. */
export type ServiceFact = Answered | KnownFault | NotAsked;

export interface Answered {
  key: 'accepted' | 'refused';
  /** Whether the rate limit is used up. */
  isLimited: boolean;
  /** The answer's `Date` less this machine's clock in the middle of the exchange. */
  skewMs?: number;
}

/** Something that is wrong, as it is told: what, and what helps. */
export interface KnownFault {
  fault: string;
  hint?: string;
}

/** What was left out, and why. */
export interface NotAsked {
  notAsked: string;
}
