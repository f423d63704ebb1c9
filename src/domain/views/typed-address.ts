/** Whether an IPv4 address was entered as the host name of a name server. Some providers append the zone. */
export function isTypedAddress(host: string): boolean {
  return /^(?:\d{1,3}\.){3}\d{1,3}(?:\.|$)/.test(host);
}
