// Shared by the probes.

export const PET = { id: 1, name: 'Rex', categoryId: 7, status: 'available' };

/** Formats a duration: at least in milliseconds, without false precision. */
export function seconds(ms) {
  return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The name of an error's class. */
export function errorName(error) {
  const name = error?.name;
  return name === undefined || name === 'Error' ? (error?.constructor?.name ?? typeof error) : name;
}
