/** Where an API key can be stored. */
export const KEY_LOCATIONS = ['keychain', 'file'] as const;
export type KeyLocation = (typeof KEY_LOCATIONS)[number];

/** The plans of the interface specification, smallest first. */
export const PLAN_NAMES = ['free', 'pro', 'business', 'enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];
