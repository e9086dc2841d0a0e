/** Returns whether a host is one of the listed domains or below one. An IP address must be listed exactly. */
export function isAuthorizedDomain(hostname: string, domains: readonly string[]): boolean {
  const isAddress = /^[\d.]+$|:/.test(hostname)
  return domains.some((domain) => hostname === domain || (!isAddress && hostname.endsWith(`.${domain}`)))
}
