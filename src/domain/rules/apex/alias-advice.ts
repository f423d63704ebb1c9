import type { Facts } from '../../facts/facts.js';

/** Advice for the owner of an apex, with a leading space; empty if it is not known what the DNS provider supports. */
export function aliasAdvice({ provider }: Facts): string {
  const { name, alias, aliasType } = provider?.dns ?? {};
  if (name === undefined || alias === undefined) return '';
  if (alias === 'yes') {
    const type = aliasType === undefined ? '' : ` (type ${aliasType} in its panel)`;
    return ` Your DNS is at ${name}, which probably supports this${type}.`;
  }
  const lacks = alias === 'limited' ? 'supports it only for its own services' : 'does not support it';
  return ` Your DNS is at ${name}, which probably ${lacks}. Move the DNS to another provider, or use a subdomain such as www and redirect the apex to it.`;
}
