import type { IncomingMessage, ServerResponse } from 'node:http'
import { invitationTokenSchema } from '@parley/contracts/account/invitation-preview'

const lifeSeconds = 3600

/**
 * Keeps the token of an invitation that this browser has followed, through sign-up and the provider's pages. Lax: the provider's
 * redirect back is a cross-site navigation.
 */
export function createInvitationCookie(publicOrigin: string) {
  const origin = new URL(publicOrigin)
  const secure = origin.protocol === 'https:'
  const name = secure ? '__Host-invitation' : `invitation-${origin.port || '80'}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

  return {
    read: (req: IncomingMessage): string | undefined => {
      const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
      const [, value] = pairs.find(([key]) => key === name) ?? []
      return invitationTokenSchema.safeParse(value).data
    },
    set: (res: ServerResponse, token: string) =>
      res.appendHeader('Set-Cookie', `${name}=${token}; Max-Age=${lifeSeconds}; ${attributes}`),
    clear: (res: ServerResponse) => res.appendHeader('Set-Cookie', `${name}=; Max-Age=0; ${attributes}`),
  }
}
export type InvitationCookie = ReturnType<typeof createInvitationCookie>
