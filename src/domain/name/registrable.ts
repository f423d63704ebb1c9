import { getDomain } from 'tldts';

/**
 * The registrable domain of a name by the public suffix list, such as `example.co.uk` for `shop.example.co.uk`. For an
 * unlisted suffix, the last two labels; for a public suffix, the suffix itself.
 */
export function registrableOf(name: string): string {
  return getDomain(name) ?? name;
}
