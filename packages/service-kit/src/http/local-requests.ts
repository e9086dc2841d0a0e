import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** Suffixes that no registry sells (RFC 6761, RFC 6762, RFC 8375 and ICANN's reservation of .internal). */
const privateSuffixes = /\.(localhost|local|internal|test|home\.arpa)$/

/**
 * Returns whether a request to a stand-in is from where it is meant to be used: made to an address, or to a name that only this
 * machine or its network gives, and by no page of another origin. Stand-ins authenticate no one. These two headers distinguish
 * people from a website whose own name leads here (DNS rebinding), or that asks across origins.
 */
export function isLocalRequest({ host = '', origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>): boolean {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  const isPrivate = isIP(name.replace(/^\[|\]$/g, '')) > 0 || privateSuffixes.test(name) || /^[\w-]+$/.test(name)
  return isPrivate && (origin === undefined || hostOf(origin) === host.toLowerCase())
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)
