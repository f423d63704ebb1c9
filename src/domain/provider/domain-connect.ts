import { isKnown } from '../facts/lookup.js';
import { queryZone, walkAliases } from '../gather/aliases.js';
import type { CheckContext } from '../gather/check-context.js';
import { findAddresses } from '../gather/name-addresses.js';
import { isPrintable } from '../finding/printable.js';
import { parseDomainName } from '../name/name.js';
import type { DomainConnectReport } from '../report/report.js';

/** Fetches a JSON document from one of the addresses; `undefined` if that fails. */
export type FetchJson = (url: URL, addresses: readonly string[]) => Promise<unknown>;

const TXT_LENGTH_MAX = 255;
const NAME_LENGTH_MAX = 100;
const URL_LENGTH_MAX = 500;

/**
 * Finds the provider's panel for a zone by Domain Connect (draft-ietf-dconn-domainconnect): the TXT record of
 * `_domainconnect` names the host of the settings, which have a link to the panel. All of it is untrusted.
 */
export async function findDomainConnect(
  context: CheckContext,
  zone: string,
  fetchJson: FetchJson,
): Promise<DomainConnectReport | undefined> {
  return context.domainConnects.get(zone, async () => {
    const lookup = await walkAliases(context, `_domainconnect.${zone}`, 'TXT', queryZone);
    const record = isKnown(lookup) ? lookup.records.find(({ data }) => data.type === 'TXT') : undefined;
    const url = record?.data.type === 'TXT' ? settingsUrl(record.data.text, zone) : undefined;
    if (url === undefined) return undefined;
    const { addresses } = await findAddresses(context, url.hostname);
    if (addresses.length === 0) return undefined;
    return readSettings(await fetchJson(url, addresses), zone);
  });
}

/** Returns the URL of a zone's settings. The text is a host, with a path at some providers. */
export function settingsUrl(text: string, zone: string): URL | undefined {
  const [, host = '', path = ''] = /^([\w.-]+)((?:\/[\w.~-]+)*)\/?$/.exec(text.trim()) ?? [];
  const parsed = parseDomainName(host);
  if (!parsed.ok || text.length > TXT_LENGTH_MAX || path.split('/').includes('..')) return undefined;
  return new URL(`https://${parsed.name.ascii}${path}/v2/${zone}/settings`);
}

/** Reads the name of the provider and the link to its panel; `undefined` unless both are safe to show. */
export function readSettings(settings: unknown, zone: string): DomainConnectReport | undefined {
  if (typeof settings !== 'object' || settings === null) return undefined;
  const { providerDisplayName, providerName, urlControlPanel } = settings as Record<string, unknown>;
  const name = [providerDisplayName, providerName].find((one) => isShort(one, NAME_LENGTH_MAX));
  if (name === undefined || !isShort(urlControlPanel, URL_LENGTH_MAX)) return undefined;
  const text = urlControlPanel.replaceAll('%domain%', zone);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  return { name, url: url.href };
}

function isShort(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= lengthMax && isPrintable(value);
}
