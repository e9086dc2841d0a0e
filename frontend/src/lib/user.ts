import { type User, userSchema } from '@parley/contracts/account/profile'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAuth } from 'react-oidc-context'
import { type Identity, identityOf } from './auth/identity.ts'
import { useSync } from './auth/sync.ts'
import { userKey } from './query-keys.ts'

const parseUser = (body: unknown): User => userSchema.parse(body)

/** Returns the signed-in person, or null. `useAuthLoading` is true while that is not known yet. */
export function useIdentity(): Identity | null {
  const profile = useAuth().user?.profile
  return useMemo(() => (profile ? identityOf(profile) : null), [profile])
}

export const useAuthLoading = (): boolean => useAuth().isLoading

/** The signed-in person's own record; asked for only once the sync has finished. */
export function useUser(): UseQueryResult<User> {
  const identity = useIdentity()
  const synced = useSync(identity?.uid) === 'done'
  return useQuery({ queryKey: userKey, select: parseUser, enabled: identity !== null && synced, retry: false })
}

/** The user's id, from what the cache holds under `userKey`. */
export const userIdOf = (body: unknown): string | undefined => userSchema.safeParse(body).data?.id

/** The workspace that the page shows, from the same. */
export const workspaceIdOf = (body: unknown): string | undefined => userSchema.safeParse(body).data?.workspaceId

/** The signed-in person's user id, once their record has been read. */
export const useOwnId = (): string | undefined => useUser().data?.id
