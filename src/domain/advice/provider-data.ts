import type { Cdn, DnsProvider, ParkingService } from '../gather/facts/providers.js';
import type { ListedService } from '../report/report.js';

/**
 * DNS providers by their name servers, parking services and CDNs. A fact that no source confirmed is left out: panels
 * change, and a wrong step is worse than none. Each entry has its sources, and the date of their oldest version read.
 */
const MICROSOFT = 'https://learn.microsoft.com/microsoft-365/admin/dns/create-dns-records-';
const DNSCONTROL = 'https://docs.dnscontrol.org/provider/index';
/** Providers whose panel is not described here, from dnscontrol's table of features. */
const LISTED = { sources: [DNSCONTROL], date: '2026-05-31' };

export const DNS_PROVIDERS: readonly DnsProvider[] = [
  {
    name: 'Cloudflare',
    servers: /\.ns\.cloudflare\.com$/,
    alias: 'yes',
    aliasType: 'CNAME',
    panel: { path: 'DNS > Records > Add record', value: 'Target', apex: '@' },
    note: 'Set Proxy status to DNS only.',
    sources: ['https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-zone-apex/'],
    date: '2026-11-22',
  },
  {
    name: 'GoDaddy',
    servers: /\.domaincontrol\.com$/,
    alias: 'no',
    panel: { path: 'Domain > DNS > Add New Record' },
    ttlMin: 600,
    sources: [
      'https://www.godaddy.com/help/add-a-cname-record-19236',
      'https://github.com/go-acme/lego/blob/master/providers/dns/godaddy/godaddy.go',
      'https://ca.hostadvice.com/hosting-company/godaddy-reviews/cname-record/',
      'https://domainee.dev/glossary/cname-flattening',
    ],
    date: '2026-11-22',
  },
  {
    name: 'Namecheap',
    servers: /\.registrar-servers\.com$/,
    alias: 'yes',
    aliasType: 'ALIAS Record',
    panel: {
      path: 'Domain List > Manage > Advanced DNS > Add New Record',
      name: 'Host',
      cnameType: 'CNAME Record',
      apex: '@',
    },
    sources: ['https://www.namecheap.com/support/knowledgebase/article.aspx/9646/', DNSCONTROL],
    date: '2026-05-31',
  },
  {
    name: 'Amazon Route 53',
    servers: /\.awsdns-\d+\.(com|net|org|co\.uk)$/,
    alias: 'limited',
    panel: { path: 'Hosted zones > the zone > Create record', name: 'Record name', apex: 'empty' },
    sources: [
      'https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-values-alias.html',
    ],
    date: '2026-11-22',
  },
  {
    // Squarespace took over Google Domains with its servers. Only Cloud DNS is known to have ALIAS, and not in its console.
    name: 'Squarespace (formerly Google Domains) or Google Cloud DNS',
    servers: /\.googledomains\.com$/,
    sources: [
      'https://support.squarespace.com/hc/en-us/articles/17131164996365',
      'https://cloud.google.com/dns/docs/records-overview',
    ],
    date: '2026-11-22',
  },
  {
    name: 'Azure DNS',
    servers: /\.azure-dns\.(com|net|org|info)$/,
    alias: 'limited',
    panel: { path: 'DNS zones > the zone > + Record set', value: 'Alias', apex: '@' },
    sources: [`${MICROSOFT}for-azure-dns-zones`, 'https://learn.microsoft.com/azure/dns/dns-alias'],
    date: '2020-08-01',
  },
  {
    name: 'Squarespace',
    servers: /\.squarespacedns\.com$/,
    panel: { path: 'DNS Settings > Custom records > Add record', name: 'Host', value: 'Data', apex: '@' },
    sources: ['https://support.squarespace.com/hc/en-us/articles/360002101888'],
    date: '2026-11-22',
  },
  {
    name: 'Wix',
    servers: /\.wixdns\.net$/,
    alias: 'no',
    panel: {
      path: 'My Domains > Advanced > Edit DNS > CNAME (Aliases) > + Add another',
      name: 'Host Name',
      value: 'Points to',
    },
    sources: [
      `${MICROSOFT}at-wix`,
      'https://dev.wix.com/docs/api-reference/account-level/domains/domain-dns/dns-zone-object',
    ],
    date: '2020-08-01',
  },
  {
    name: 'IONOS',
    servers: /\.ui-dns\.(com|org|de|biz)$/,
    alias: 'no',
    panel: { path: 'Domains & SSL > DNS > Add record', name: 'Hostname', value: 'Points to' },
    sources: [
      'https://www.ionos.com/help/domains/configuring-cname-records-for-subdomains/configuring-a-cname-record-for-a-subdomain',
    ],
    date: '2026-11-22',
  },
  {
    name: 'Hostinger',
    servers: /\.dns-parking\.com$/,
    alias: 'yes',
    aliasType: 'CNAME',
    panel: { value: 'Target', apex: '@' },
    note: 'The panel shows the CNAME of an apex as ALIAS.',
    sources: ['https://support.hostinger.com/en/articles/10085192-cname-vs-alias-records'],
    date: '2026-05-08',
  },
  {
    name: 'OVHcloud',
    servers: /\.(ovh\.(net|ca)|anycast\.me)$/,
    alias: 'no',
    panel: {
      path: 'DNS zone > Add an entry',
      name: 'Sub-domain',
      value: 'Target',
      apex: 'empty',
      needsFinalDot: true,
    },
    sources: [`${MICROSOFT}at-ovh`, DNSCONTROL],
    date: '2020-03-01',
  },
  {
    name: 'Hetzner',
    servers: /\.(ns\.hetzner|first-ns|second-ns)\.(com|de)$/,
    alias: 'no',
    panel: { apex: '@', needsFinalDot: true },
    sources: ['https://docs.hetzner.com/networking/dns/faq/records', DNSCONTROL],
    date: '2025-10-07',
  },
  {
    name: 'Gandi',
    servers: /\.gandi\.net$/,
    alias: 'yes',
    aliasType: 'ALIAS',
    panel: { path: 'DNS Records', apex: '@', needsFinalDot: true },
    sources: [
      'https://docs.gandi.net/fr/noms_domaine/operations_courantes/enregistrements_dns.html',
      DNSCONTROL,
    ],
    date: '2026-05-31',
  },
  {
    name: 'Name.com',
    servers: /\.name\.com$/,
    alias: 'yes',
    aliasType: 'ANAME',
    panel: { path: 'My Domains > the domain > DNS Records', name: 'Host', value: 'Answer', apex: 'empty' },
    sources: [
      `${MICROSOFT}at-name-com`,
      'https://www.name.dev/learn/cname-records-when-to-use-them-when-to-avoid-them-and-common-pitfalls',
    ],
    date: '2020-08-01',
  },
  {
    name: 'Network Solutions',
    servers: /\.worldnic\.com$/,
    panel: {
      path: 'Edit DNS > Manage Advanced DNS Records > Edit CNAME Records',
      name: 'Alias',
      value: 'Other Host',
      needsFinalDot: true,
    },
    sources: [`${MICROSOFT}at-network-solutions`],
    date: '2020-12-01',
  },
  {
    name: 'Bluehost',
    servers: /\.bluehost\.com$/,
    panel: {
      path: 'Domains > Manage DNS records > Add DNS Record',
      name: 'Host Record',
      value: 'Points To',
      apex: '@',
    },
    sources: [`${MICROSOFT}at-bluehost`],
    date: '2020-08-01',
  },
  {
    name: 'Hover',
    servers: /\.hover\.com$/,
    alias: 'no',
    panel: { path: 'the domain > DNS > Add New', name: 'Hostname', value: 'Target Host', apex: '@' },
    sources: [`${MICROSOFT}at-hover`, 'https://github.com/scripting/Scripting-News/issues/220'],
    date: '2020-08-01',
  },
  {
    name: 'DreamHost',
    servers: /\.dreamhost\.com$/,
    alias: 'yes',
    aliasType: 'ALIAS',
    panel: {
      path: 'Domains > Manage Domains > DNS > Add a custom DNS record',
      apex: 'empty',
      needsFinalDot: true,
    },
    sources: [
      `${MICROSOFT}at-dreamhost`,
      'https://help.dreamhost.com/hc/en-us/articles/214694348-Basic-DNS-records',
    ],
    date: '2020-08-01',
  },
  {
    name: '123 Reg',
    servers: /\.123-reg\.co\.uk$/,
    panel: {
      path: 'Manage your DNS > Advanced DNS',
      name: 'Hostname',
      value: 'Destination',
      apex: '@',
      needsFinalDot: true,
    },
    sources: [`${MICROSOFT}at-123-reg-co-uk`],
    date: '2020-08-01',
  },
  {
    name: 'Strato',
    servers: /\.rzone\.de$/,
    alias: 'no',
    panel: { path: 'Domainverwaltung > DNS-Einstellungen > CNAME-Record > verwalten', needsFinalDot: true },
    sources: [
      'https://www.strato.de/faq/domains/so-aendern-sie-den-cname-eintrag-fuer-ihre-subdomain/',
      'https://www.strato.de/faq/article/464/',
    ],
    date: '2026-11-22',
  },
  {
    name: 'DNSimple',
    servers: /\.dnsimple(-edge)?\.(com|net|org)$/,
    alias: 'yes',
    aliasType: 'ALIAS',
    panel: { value: 'Content' },
    sources: ['https://support.dnsimple.com/articles/alias-record-reference'],
    date: '2026-11-22',
  },
  {
    name: 'DNS Made Easy',
    servers: /\.dnsmadeeasy\.com$/,
    alias: 'yes',
    aliasType: 'ANAME',
    panel: { path: 'Managed DNS > the domain > CNAME Records > +', value: 'Alias to', needsFinalDot: true },
    sources: [
      'https://support.dnsmadeeasy.com/support/solutions/articles/47001001393-cname-record',
      DNSCONTROL,
    ],
    date: '2026-05-31',
  },
  {
    name: 'UltraDNS',
    servers: /\.ultradns\.(com|net|org|info|biz|co\.uk)$/,
    alias: 'yes',
    aliasType: 'Apex Alias',
    panel: { name: 'Host', value: 'Points To' },
    sources: [
      'https://docs.ultradns.com/Content/MSP_User_Guide/Content/User%20Guides/MSP_User_Guide/Records/CNAME%20Records.htm',
      'https://docs.ultradns.com/Content/MSP_User_Guide/Content/User%20Guides/MSP_User_Guide/Records/Apex%20Alias%20Records.htm',
    ],
    date: '2026-11-22',
  },
  {
    name: 'Porkbun',
    servers: /\.porkbun\.com$/,
    alias: 'yes',
    aliasType: 'ALIAS',
    sources: ['https://kb.porkbun.com/article/187-what-is-dns'],
    date: '2026-11-22',
  },
  {
    name: 'Vercel',
    servers: /\.vercel-dns\.com$/,
    alias: 'yes',
    aliasType: 'ALIAS',
    sources: ['https://vercel.com/docs/projects/domains/working-with-dns'],
    date: '2026-11-22',
  },
  // Sources disagree on whether customers can set its type for an apex (AKAMAITLC).
  { name: 'Akamai', servers: /\.akam\.net$/, ...LISTED },
  { name: 'Alibaba Cloud', servers: /\.(hichina|alidns)\.com$/, alias: 'no', ...LISTED },
  { name: 'Bunny', servers: /\.bunny\.net$/, alias: 'yes', ...LISTED },
  { name: 'ClouDNS', servers: /\.cloudns\.(net|uk)$/, alias: 'yes', aliasType: 'ALIAS', ...LISTED },
  {
    name: 'DigitalOcean',
    servers: /\.digitalocean\.com$/,
    alias: 'no',
    sources: [
      'https://kestra.io/plugins/plugin-digitalocean/digitalocean-domain-record/io.kestra.plugin.digitalocean.domain.record.create',
    ],
    date: '2026-11-27',
  },
  { name: 'Hurricane Electric', servers: /\.he\.net$/, alias: 'yes', aliasType: 'ALIAS', ...LISTED },
  { name: 'INWX', servers: /\.inwx\.(de|eu|net)$/, alias: 'yes', ...LISTED },
  { name: 'Joker', servers: /\.joker\.com$/, alias: 'no', ...LISTED },
  { name: 'Loopia', servers: /\.loopia\.se$/, alias: 'no', ...LISTED },
  { name: 'Namecheap hosting', servers: /\.namecheaphosting\.com$/, ...LISTED },
  { name: 'NS1', servers: /\.nsone\.net$/, alias: 'yes', aliasType: 'ALIAS', ...LISTED },
  { name: 'TransIP', servers: /\.transip\.(net|nl|eu)$/, alias: 'yes', aliasType: 'ALIAS', ...LISTED },
  { name: 'Vultr', servers: /\.vultr\.com$/, alias: 'no', ...LISTED },
];

/** The list that the parking services come from. */
export const PARKING_SOURCE: Omit<ListedService, 'name'> = {
  sources: ['https://github.com/MISP/misp-warninglists/blob/main/lists/parking-domain-ns/list.json'],
  date: '2022-10-24',
};

export const PARKING_SERVICES: readonly ParkingService[] = [
  { name: 'Above.com', servers: /\.above\.com$/ },
  { name: 'Afternic', servers: /\.afternic\.com$/ },
  { name: 'Bodis', servers: /\.bodis\.com$/ },
  { name: 'Dan.com', servers: /\.dan\.com$/ },
  { name: 'DomainMarket', servers: /\.domainmarket\.com$/ },
  { name: 'DS Redirection', servers: /\.(dsredirection|dsredirects)\.com$/ },
  { name: 'OVHcloud parking', servers: /^parking[12]\.ovh\.net$/ },
  { name: 'ParkingCrew', servers: /\.parkingcrew\.net$/ },
  { name: 'ParkLogic', servers: /\.parklogic\.com$/ },
  { name: 'Sedo', servers: /\.sedoparking\.com$/ },
  { name: 'Uniregistry Market', servers: /\.uniregistrymarket\.link$/ },
  { name: 'Ztomy', servers: /\.ztomy\.com$/ },
];

/**
 * Name servers for domains that have expired or are suspended: `ns1.renewyourdomain.net`, `expirens3.hichina.com`,
 * `failed-whois-verification.namecheap.com`, `ns1.registrant-verification.ispapi.net`. Their names say so. Only whole
 * words count, because a name such as `ns1.suspenders.com` belongs to an owner of ordinary domains. Sources:
 * https://support.dnsimple.com/articles/icann-domain-validation/ and
 * https://github.com/ans-group/docs.ukfast.co.uk/tree/master/source/domains/domains/faqs (2026-11-27).
 */
export const HOLDING_HOST =
  /(^|[.-])(domains?)?(expired|expirens|suspended)(domains?)?(?=[\d.-])|renew-?your-?domain|pending-?renewal|(whois|registrant|contact)-verification|verify-contact/;

export const CDNS: readonly Cdn[] = [
  {
    name: 'Cloudflare',
    aliases: /\.cdn\.cloudflare\.net$/,
    // prettier-ignore
    subnets: [
      '103.21.244.0/22', '103.22.200.0/22', '103.31.4.0/22', '104.16.0.0/13', '104.24.0.0/14', '108.162.192.0/18',
      '131.0.72.0/22', '141.101.64.0/18', '162.158.0.0/15', '172.64.0.0/13', '173.245.48.0/20', '188.114.96.0/20',
      '190.93.240.0/20', '197.234.240.0/22', '198.41.128.0/17', '2400:cb00::/32', '2405:8100::/32', '2405:b500::/32',
      '2606:4700::/32', '2803:f800::/32', '2a06:98c0::/29', '2c0f:f248::/32',
    ],
    sources: ['https://www.cloudflare.com/ips/'],
    date: '2026-11-22',
  },
  {
    name: 'Fastly',
    aliases: /\.(fastly|fastlylb)\.net$/,
    // prettier-ignore
    subnets: [
      '23.235.32.0/20', '43.249.72.0/22', '103.244.50.0/24', '103.245.222.0/23', '103.245.224.0/24', '104.156.80.0/20',
      '146.75.0.0/17', '151.101.0.0/16', '157.52.64.0/18', '167.82.0.0/17', '167.82.128.0/20', '167.82.160.0/20',
      '167.82.224.0/20', '172.111.64.0/18', '185.31.16.0/22', '199.27.72.0/21', '199.232.0.0/16', '2a04:4e40::/32',
      '2a04:4e42::/32',
    ],
    sources: ['https://api.fastly.com/public-ip-list'],
    date: '2026-11-22',
  },
  {
    name: 'Amazon CloudFront',
    aliases: /\.cloudfront\.net$/,
    subnets: [],
    sources: ['https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/CNAMEs.html'],
    date: '2026-11-22',
  },
  {
    name: 'Azure Front Door',
    aliases: /\.(azurefd|azureedge)\.net$/,
    subnets: [],
    sources: ['https://learn.microsoft.com/azure/frontdoor/front-door-custom-domain'],
    date: '2026-11-22',
  },
];
