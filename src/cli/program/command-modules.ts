import type { PlainRegister, Register } from '../session/action.js';

const loadPets = async (): Promise<PlainRegister> =>
  (await import('../commands/pets/register.js')).registerPets;
const loadMock = async (): Promise<PlainRegister> =>
  (await import('../commands/mock/register.js')).registerMock;

/** Loads the code of the commands whose plain lines are read without commander, by their first word. */
export const PLAIN_MODULES: Readonly<Record<string, () => Promise<PlainRegister>>> = {
  pets: loadPets,
  mock: loadMock,
};

/** Loads the code of a command by its first word, in the order of the command list. */
export const COMMAND_MODULES: Readonly<Record<string, () => Promise<Register>>> = {
  pets: loadPets,
  domain: async () => (await import('../commands/domain/register.js')).registerDomain,
  auth: async () => (await import('../commands/auth/register.js')).registerAuth,
  config: async () => (await import('../commands/config/register.js')).registerConfig,
  limits: async () => (await import('../commands/limits/show.js')).registerLimits,
  api: async () => (await import('../commands/api/send.js')).registerApi,
  mock: loadMock,
  doctor: async () => (await import('../commands/doctor/show.js')).registerDoctor,
  completion: async () => (await import('../commands/completion/show.js')).registerCompletion,
  commands: async () => (await import('../commands/commands/show.js')).registerCommands,
  help: async () => (await import('../commands/help/show.js')).registerHelp,
  version: async () => (await import('../commands/version/show.js')).registerVersion,
};
