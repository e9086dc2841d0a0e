import { authApi } from '@parley/contracts/account/auth-endpoints'
import { type InvitationPreview, invitationTokenSchema } from '@parley/contracts/account/invitation-preview'
import { useEffect, useState } from 'react'
import { ApiError, call } from '../../lib/api.ts'
import { useAuthLoading, useIdentity } from '../../lib/user.ts'

const fragment = '#invitation='

type Followed =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  /** The invitation is over, or cannot be read now. */
  | { readonly kind: 'ended'; readonly why: string }
  | {
      readonly kind: 'open'
      readonly invitation: InvitationPreview
      readonly token: string
      /** Address of the signed-in person; absent where nobody is. */
      readonly email: string | undefined
    }

const away = 'The invitation cannot be read right now. Open the link again in a moment.'

/** Reads the invitation whose link has led here. Its secret leaves the address bar at once. */
export function useFollowedInvitation(): Followed {
  const loading = useAuthLoading()
  const email = useIdentity()?.email
  const [token] = useState(takeToken)
  const [read, setRead] = useState<InvitationPreview | string>()
  useEffect(() => {
    if (token === undefined) return
    const left = new AbortController()
    call(authApi.invitation, { body: { token }, signal: left.signal }).then(setRead, (error: unknown) => {
      if (!left.signal.aborted) setRead(error instanceof ApiError ? (error.body.message ?? away) : away)
    })
    return () => left.abort()
  }, [token])
  if (token === undefined) return { kind: 'none' }
  if (read === undefined || loading) return { kind: 'reading' }
  if (typeof read === 'string') return { kind: 'ended', why: read }
  return { kind: 'open', invitation: read, token, email }
}

let taken: string | undefined

/** Removes the token from the address, so that neither history nor a screenshot keeps it. A second call gets the same. */
function takeToken(): string | undefined {
  const { hash, pathname, search } = window.location
  if (!hash.startsWith(fragment)) return taken
  taken = invitationTokenSchema.safeParse(hash.slice(fragment.length)).data
  window.history.replaceState(window.history.state, '', pathname + search)
  return taken
}
