import ipaddr from 'ipaddr.js'

/**
 * Returns what counts as one visitor where addresses are counted: an IPv4 address, or the /64 that a provider assigns to one
 * household or one machine, which may use every address of it.
 * @returns the text as it is where it is no address.
 */
export function addressGroup(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/** Returns whether an address is one of these, or in one of these networks (CIDR). */
export function isInNetworks(ip: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return networks.some((network) => {
    const [base, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), undefined]
    if (base.kind() !== address.kind()) return false
    return bits === undefined ? base.toString() === address.toString() : address.match(base, bits)
  })
}
