import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSessionSecret } from '../session/session-cipher.ts'

/**
 * The session cookie. `__Host-` and Secure follow the scheme of the public origin; on plain http (a laptop) the name
 * carries the port instead, because cookies of one host are shared by all its ports.
 */
export function createSessionCookie(publicOrigin: string, maxAgeSeconds: number) {
  const origin = new URL(publicOrigin)
  const secure = origin.protocol === 'https:'
  const name = secure ? '__Host-sid' : `sid-${origin.port || '80'}`
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`

  /** @returns the cookie's value; `undefined` for none, for one that cannot be ours, and for several different ones. */
  function read(req: IncomingMessage): string | undefined {
    const header = req.headers.cookie
    if (!header?.includes(name)) return undefined
    const values = new Set<string>()
    for (const pair of header.split(';')) {
      const at = pair.indexOf('=')
      if (at > 0 && pair.slice(0, at).trim() === name) values.add(pair.slice(at + 1).trim())
    }
    const [value] = values
    return values.size === 1 && value !== undefined && isSessionSecret(value) ? value : undefined
  }

  return {
    name,
    read,
    set: (res: ServerResponse, secret: string) =>
      res.appendHeader('Set-Cookie', `${name}=${secret}; Max-Age=${maxAgeSeconds}; ${attributes}`),
    clear: (res: ServerResponse) => res.appendHeader('Set-Cookie', `${name}=; Max-Age=0; ${attributes}`),
  }
}
export type SessionCookie = ReturnType<typeof createSessionCookie>
