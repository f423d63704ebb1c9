import type { PlainRegister, Register } from '../session/action.js';

/** Loads the code of the commands whose plain lines are read without commander, by their first word. */
export const PLAIN_MODULES: Readonly<Record<string, () => Promise<PlainRegister>>> = {
  pets: async () => (await import('../commands/pets/register.js')).registerPets,
};

/** Loads the code of a command by its first word. */
export const COMMAND_MODULES: Readonly<Record<string, () => Promise<Register>>> = {
  ...PLAIN_MODULES,
  domain: async () => (await import('../commands/domain/register.js')).registerDomain,
  auth: async () => (await import('../commands/auth/register.js')).registerAuth,
  config: async () => (await import('../commands/config/register.js')).registerConfig,
  limits: async () => (await import('../commands/limits/show.js')).registerLimits,
  api: async () => (await import('../commands/api/send.js')).registerApi,
  mock: async () => (await import('../commands/mock/register.js')).registerMock,
  doctor: async () => (await import('../commands/doctor/show.js')).registerDoctor,
  completion: async () => (await import('../commands/completion/show.js')).registerCompletion,
  commands: async () => (await import('../commands/commands/show.js')).registerCommands,
  help: async () => (await import('../commands/help/show.js')).registerHelp,
  version: async () => (await import('../commands/version/show.js')).registerVersion,
};
