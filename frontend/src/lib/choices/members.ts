import { membersApi } from '@parley/contracts/account/members'
import { can, type Permission } from '@parley/contracts/account/permissions'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { useUser } from '../user.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

export const memberChoices = () =>
  queryOptions({
    queryKey: choiceKeys.members,
    queryFn: async ({ signal }) => (await call(membersApi.list, { query: { limit: choiceLimit }, signal })).items,
    staleTime: choiceStaleMs,
  })

/** @returns what a user of the workspace is called, or was when they left it; undefined while that is read. */
export function useMemberName(): (userId: string | undefined, former?: string) => string | undefined {
  const members = useQuery(memberChoices()).data
  return useCallback(
    (userId, former = 'A former member') =>
      members && (members.find((member) => member.userId === userId)?.name ?? former),
    [members],
  )
}

/** Returns whether the signed-in person has a permission; undefined while their role is not known. */
export function useMay(permission: Permission): boolean | undefined {
  const role = useUser().data?.role
  return role && can(role, permission)
}

/** Returns whether the signed-in person lacks a permission; false while their role is not known: the server decides anyway. */
export const useIsRefused = (permission: Permission): boolean => useMay(permission) === false
