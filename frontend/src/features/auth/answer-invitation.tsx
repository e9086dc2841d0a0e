import type { InvitationPreview } from '@parley/contracts/account/invitation-preview'
import { invitationsApi } from '@parley/contracts/account/invitations'
import { useState } from 'react'
import { paths } from '../../app/paths.ts'
import { call } from '../../lib/api.ts'
import { signOut } from '../../lib/auth/sign-in.ts'
import { explain } from '../../lib/explain.ts'
import { Link, useNavigate } from '../../lib/navigation.ts'
import { useChange } from '../../lib/use-change.ts'
import { goToWorkspace } from '../../lib/workspace.ts'
import { ActionButton } from '../../ui/action.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './auth-card.module.css'
import { AuthCard } from './auth-card.tsx'
import { Problem } from './problem.tsx'

/** Says who invites, and as what. */
export const invitationWords = ({ inviter, role }: InvitationPreview): string =>
  `${inviter} invites you to work here as ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}.`

/** The two answers of a signed-in person, if the invitation is for their address. */
export function AnswerInvitation({
  invitation,
  token,
  email,
}: {
  invitation: InvitationPreview
  token: string
  email: string
}) {
  const { id, workspaceName } = invitation
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const failed = (error: Error) => setProblem(explain(error, 'The invitation could not be answered. Try again.'))
  const body = { token }
  const accept = useChange({
    run: async (_: 'accept', intent) => {
      const { workspaceId } = await call(invitationsApi.accept, { params: { id }, body, ...intent })
      await goToWorkspace(workspaceId)
    },
    onError: failed,
  })
  const decline = useChange({
    run: (_: 'decline', intent) => call(invitationsApi.decline, { params: { id }, body, ...intent }),
    onSuccess: () => {
      toast.note('The invitation is declined.')
      void navigate(paths.dashboard)
    },
    onError: failed,
  })
  const leave = useChange({
    run: signOut,
    onSuccess: () => window.location.assign(`${paths.signup}#invitation=${token}`),
    onError: () => toast.error('Failed to sign out'),
  })
  const isTheirs = email.toLowerCase() === invitation.email
  return (
    <AuthCard
      title={`Join ${workspaceName}`}
      lead={invitationWords(invitation)}
      footer={<Link to={paths.dashboard}>Not now</Link>}
    >
      <div className={styles['actions']} aria-live="polite">
        {isTheirs ? (
          <>
            <Problem text={problem} />
            <ActionButton primary large block aria-busy={accept.isPending} onClick={() => accept.mutate('accept')}>
              Accept
            </ActionButton>
            <ActionButton large block aria-busy={decline.isPending} onClick={() => decline.mutate('decline')}>
              Decline
            </ActionButton>
          </>
        ) : (
          <>
            <Problem text={`The invitation is for ${invitation.email}. You are signed in as ${email}.`} />
            <ActionButton primary large block aria-busy={leave.isPending} onClick={() => leave.mutate()}>
              Log out and go on
            </ActionButton>
          </>
        )}
      </div>
    </AuthCard>
  )
}
