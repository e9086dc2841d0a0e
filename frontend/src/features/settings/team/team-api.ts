import { authApi } from '@parley/contracts/account/auth-endpoints'
import { type Invitation, invitationsApi } from '@parley/contracts/account/invitations'
import { type Member, membersApi } from '@parley/contracts/account/members'
import type { Role } from '@parley/contracts/account/permissions'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { choiceLimit } from '../../../lib/choices/stale.ts'
import { choiceKeys, teamKeys, userKey } from '../../../lib/query-keys.ts'
import { type Intent, useChange } from '../../../lib/use-change.ts'
import { beginAnew } from '../../../lib/workspace.ts'

/** Question that is open, and the person whom it concerns. */
export type Asked =
  | { readonly kind: 'invite' | 'leave' }
  | { readonly kind: 'role' | 'remove' | 'transfer'; readonly member: Member }

export const membersOptions = () =>
  queryOptions({
    queryKey: teamKeys.members,
    queryFn: async ({ signal }) => (await call(membersApi.list, { query: { limit: choiceLimit }, signal })).items,
  })

export const invitationsOptions = (enabled: boolean) =>
  queryOptions({
    queryKey: teamKeys.invitations,
    queryFn: async ({ signal }) => (await call(invitationsApi.list, { signal })).items,
    enabled,
    // No event tells of a mail's state.
    refetchInterval: ({ state: { data } }) => (data?.some(({ mail }) => mail.state === 'queued') ? 3000 : false),
  })

/** Reads members and invitations anew, and whatever shows members elsewhere. */
function useRefreshTeam(): () => Promise<unknown> {
  const client = useQueryClient()
  return () => Promise.all([teamKeys.all, choiceKeys.members].map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** Each change reads the team anew, also where it failed: somebody else may have been faster. */
export function useTeamChanges() {
  const client = useQueryClient()
  const onSettled = useRefreshTeam()
  const invite = useChange({
    run: (body: { email: string; role: Role }, intent) => call(invitationsApi.create, { body, ...intent }),
    onSettled,
  })
  const resend = useChange({
    run: ({ id }: Pick<Invitation, 'id'>, intent) => call(invitationsApi.resend, { params: { id }, ...intent }),
    onSettled,
  })
  const revoke = useChange({
    run: ({ id }: Pick<Invitation, 'id'>, intent) => call(invitationsApi.revoke, { params: { id }, ...intent }),
    onSettled,
  })
  const changeRole = useChange({
    run: ({ member: { id, version }, role }: { member: Member; role: Role }, intent) =>
      call(membersApi.change, { params: { id }, body: { role, version }, ...intent }),
    onSettled,
  })
  const remove = useChange({
    run: ({ id }: Pick<Member, 'id'>, intent) => call(membersApi.remove, { params: { id }, ...intent }),
    onSettled,
  })
  const leave = useChange({
    run: (_: 'leave', intent) => call(membersApi.leave, intent),
    onSuccess: () => beginAnew('left'),
    onSettled,
  })
  /** Hands the workspace over, for the dialog that asks for the password. */
  const transfer = {
    run: (id: string, intent: Intent) => call(membersApi.transfer, { params: { id }, ...intent }),
    onDone: () => client.invalidateQueries({ queryKey: userKey }),
    onSettled,
  }
  const viewAs = useChange({
    run: (role: Role, intent) => call(authApi.viewAs, { body: { role }, ...intent }),
    onSuccess: () => beginAnew(),
  })
  return { invite, resend, revoke, changeRole, remove, leave, transfer, viewAs }
}
export type TeamChanges = ReturnType<typeof useTeamChanges>
