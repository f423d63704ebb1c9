/** A DNS provider, recognised by the names of its servers. */
export interface ProviderHint {
  /** Such as `Cloudflare`. */
  name: string;
  /** Whether it supports ALIAS at an apex. `limited`: only to its own platform. */
  alias: 'yes' | 'limited' | 'no';
  /** Its name for that record type. */
  aliasName?: string;
}

/** Finds the provider of a zone by its name servers; `undefined` unless all belong to one known provider. */
export function providerHint(hosts: readonly string[]): ProviderHint | undefined {
  const found = hosts.map((host) => PROVIDERS.find(({ servers }) => servers.test(host.toLowerCase())));
  const [first] = found;
  if (first === undefined || !found.every((provider) => provider === first)) return undefined;
  const { name, alias, aliasName } = first;
  return { name, alias, ...(aliasName !== undefined && { aliasName }) };
}

/** Advice for the owner of an apex, with a leading space; empty for an unknown provider. */
export function aliasAdvice(hosts: readonly string[]): string {
  const hint = providerHint(hosts);
  if (hint === undefined) return '';
  if (hint.alias === 'yes') {
    return ` Your DNS is at ${hint.name}, which probably supports this type${hint.aliasName === undefined ? '' : ` (${hint.aliasName})`}.`;
  }
  const lacks = hint.alias === 'limited' ? 'supports it only for its own services' : 'does not support it';
  return ` Your DNS is at ${hint.name}, which probably ${lacks}. Move the DNS to another provider, or use a subdomain such as www and redirect the apex to it.`;
}

/** From dnscontrol's provider matrix (CanUseAlias) as of May 2026. A "no" there is no proof. */
const PROVIDERS: readonly (ProviderHint & { servers: RegExp })[] = [
  { name: 'Cloudflare', alias: 'yes', aliasName: 'CNAME flattening', servers: /\.ns\.cloudflare\.com$/ },
  { name: 'DNSimple', alias: 'yes', aliasName: 'ALIAS', servers: /\.dnsimple(-edge)?\.(com|net|org)$/ },
  { name: 'DNS Made Easy', alias: 'yes', aliasName: 'ANAME', servers: /\.dnsmadeeasy\.com$/ },
  { name: 'Akamai', alias: 'yes', servers: /\.akam\.net$/ },
  { name: 'Bunny', alias: 'yes', servers: /\.bunny\.net$/ },
  { name: 'ClouDNS', alias: 'yes', aliasName: 'ALIAS', servers: /\.cloudns\.(net|uk)$/ },
  { name: 'Gandi', alias: 'yes', aliasName: 'ALIAS', servers: /\.gandi\.net$/ },
  { name: 'Google Cloud DNS', alias: 'yes', aliasName: 'ALIAS', servers: /\.googledomains\.com$/ },
  { name: 'Hurricane Electric', alias: 'yes', aliasName: 'ALIAS', servers: /\.he\.net$/ },
  { name: 'INWX', alias: 'yes', servers: /\.inwx\.(de|eu|net)$/ },
  {
    name: 'Namecheap',
    alias: 'yes',
    aliasName: 'ALIAS',
    servers: /\.(registrar-servers|namecheaphosting)\.com$/,
  },
  { name: 'Name.com', alias: 'yes', aliasName: 'ANAME', servers: /\.name\.com$/ },
  { name: 'NS1', alias: 'yes', aliasName: 'ALIAS', servers: /\.nsone\.net$/ },
  { name: 'Porkbun', alias: 'yes', aliasName: 'ALIAS', servers: /\.porkbun\.com$/ },
  { name: 'TransIP', alias: 'yes', aliasName: 'ALIAS', servers: /\.transip\.(net|nl|eu)$/ },
  { name: 'Vercel', alias: 'yes', aliasName: 'ALIAS', servers: /\.vercel-dns\.com$/ },
  { name: 'Amazon Route 53', alias: 'limited', servers: /\.awsdns-\d+\.(com|net|org|co\.uk)$/ },
  { name: 'Azure DNS', alias: 'limited', servers: /\.azure-dns\.(com|net|org|info)$/ },
  { name: 'DigitalOcean', alias: 'no', servers: /\.digitalocean\.com$/ },
  { name: 'Hetzner', alias: 'no', servers: /\.(ns\.hetzner|first-ns|second-ns)\.(com|de)$/ },
  { name: 'OVH', alias: 'no', servers: /\.(ovh\.(net|ca)|anycast\.me)$/ },
  { name: 'Alibaba Cloud', alias: 'no', servers: /\.(hichina|alidns)\.com$/ },
  { name: 'Vultr', alias: 'no', servers: /\.vultr\.com$/ },
  { name: 'Joker', alias: 'no', servers: /\.joker\.com$/ },
  { name: 'Loopia', alias: 'no', servers: /\.loopia\.se$/ },
];
