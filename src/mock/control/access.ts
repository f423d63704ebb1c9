/**
 * Returns why a request may not use the control API, or `undefined` if it may. The API is open to programs on this
 * machine. `Host`, `Origin` and `Sec-Fetch-Site` exclude web pages of other sites in a browser on this machine, also
 * those that use DNS rebinding.
 *
 * @param peer IP address of the client.
 */
export function whyForbidden(
  headers: Readonly<Record<string, string>>,
  peer: string | undefined,
): string | undefined {
  const { host = '', origin } = headers;
  if (!isLoopbackAddress(peer ?? '')) return 'The control API is open to this machine only';
  if (!isLoopbackHost(host)) return 'The header Host is not a loopback address';
  if (origin !== undefined && origin !== `http://${host}`) return 'The header Origin names another origin';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'The header Sec-Fetch-Site names another site';
  return undefined;
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}

function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(host);
}
