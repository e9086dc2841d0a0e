import type { InvitationPreview } from '@parley/contracts/account/invitation-preview'
import { invitationsApi } from '@parley/contracts/account/invitations'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { workspaceKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { goToWorkspace, takeNote } from '../../lib/workspace.ts'
import { ActionButton } from '../../ui/action.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './invitations-banner.module.css'

const invitationsOptions = () =>
  queryOptions({
    queryKey: workspaceKeys.invitations,
    queryFn: async ({ signal }) => (await call(invitationsApi.mine, { signal })).items,
  })

const notes = {
  changed: 'This browser is in another workspace now. Nothing was changed in the one before.',
  left: 'You have left the workspace.',
} as const

/** Banner of open invitations for the signed-in person, each with its two answers; and the reason for a reload of the page, if any. */
export function InvitationsBanner() {
  const { data: invitations = [] } = useQuery(invitationsOptions())
  useEffect(() => {
    const note = takeNote()
    if (note) toast.note(notes[note])
  }, [])
  return invitations.map((invitation) => <Invitation key={invitation.id} invitation={invitation} />)
}

function Invitation({ invitation: { id, inviter, workspaceName, role } }: { invitation: InvitationPreview }) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: workspaceKeys.all })
  const failed = (error: Error) => {
    toast.error(explain(error, 'The invitation could not be answered. Try again.'))
    void refresh()
  }
  const accept = useChange({
    run: async (_: 'accept', intent) => {
      const { workspaceId } = await call(invitationsApi.accept, { params: { id }, body: {}, ...intent })
      await goToWorkspace(workspaceId)
    },
    onError: failed,
  })
  const decline = useChange({
    run: (_: 'decline', intent) => call(invitationsApi.decline, { params: { id }, body: {}, ...intent }),
    onSuccess: refresh,
    onError: failed,
  })
  return (
    <section className={styles['banner']} aria-label={`Invitation to ${workspaceName}`}>
      <p className={styles['words']}>
        <b dir="auto">{inviter}</b> invites you to <b dir="auto">{workspaceName}</b> as {role}.
      </p>
      <div className={styles['buttons']}>
        <ActionButton primary aria-busy={accept.isPending} onClick={() => accept.mutate('accept')}>
          Accept
        </ActionButton>
        <ActionButton aria-busy={decline.isPending} onClick={() => decline.mutate('decline')}>
          Decline
        </ActionButton>
      </div>
    </section>
  )
}
