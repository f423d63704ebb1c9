/** The host and port of an http or https URL, with the default port of the scheme. */
export function endpointOf({ hostname, port, protocol }: URL) {
  const isTls = protocol === 'https:';
  return {
    /** A name or an address; IPv6 without brackets. */
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    isTls,
  };
}
