import { type Invitation, invitationPauseSeconds, maxInvitationMails } from '@parley/contracts/account/invitations'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { explain } from '../../../lib/explain.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { useNow } from '../../../lib/use-now.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { toast } from '../../../ui/toast.ts'
import { SettingsCard } from '../settings-card.tsx'
import { roleWords } from './roles.ts'
import styles from './team.module.css'
import { invitationsOptions, type TeamChanges } from './team-api.ts'

/** Invitations that are open, and what became of the latest others. */
export function InvitationsCard({ changes }: { changes: TeamChanges }) {
  const { data, isLoadingError, isFetching, refetch, dataUpdatedAt } = useQuery(invitationsOptions(true))
  const { timeZone } = useClock(0)
  const now = useNow(dataUpdatedAt)
  return (
    <SettingsCard
      title="Invitations"
      lead="An invitation works for seven days and takes a seat of your plan meanwhile."
    >
      {data ? (
        data.length === 0 ? (
          <p className={styles['detail']}>Nobody is invited. Press Invite to send the first mail.</p>
        ) : (
          <ul className={styles['rows']}>
            {data.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                changes={changes}
                now={now}
                timeZone={timeZone}
              />
            ))}
          </ul>
        )
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The invitations could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBlocks count={1} height="56px" className={styles['rows']} />
      )}
    </SettingsCard>
  )
}

const states: Readonly<Record<Exclude<Invitation['state'], 'open'>, string>> = {
  accepted: 'Accepted',
  declined: 'Declined',
  revoked: 'Revoked',
  expired: 'Expired',
}
const mails: Readonly<Record<Invitation['mail']['state'], string>> = {
  queued: 'Mail on its way',
  sent: 'Mail sent',
  failed: 'Mail not delivered',
  unknown: 'Mail may not have arrived',
}

function InvitationRow({
  invitation,
  changes: { resend, revoke },
  now,
  timeZone,
}: {
  invitation: Invitation
  changes: TeamChanges
  now: Date
  timeZone: string
}) {
  const { email, role, state, sentAt, sends, mail } = invitation
  const isOpen = state === 'open'
  const mayResend = sends < maxInvitationMails && now.getTime() - Date.parse(sentAt) >= invitationPauseSeconds * 1000
  const failed = (error: Error) => toast.error(explain(error, 'That did not work. Try again.'))
  return (
    <li className={styles['row']}>
      <div className={styles['who']}>
        <p className={styles['name']}>{email}</p>
        <p className={styles['detail']}>
          {roleWords[role].label} · {isOpen ? mails[mail.state] : states[state]} ·{' '}
          <Timestamp at={sentAt} now={now} timeZone={timeZone} />
        </p>
        {isOpen && mail.state === 'failed' && mail.reason && <p className={styles['reason']}>{mail.reason}</p>}
      </div>
      {isOpen && (
        <div className={styles['buttons']}>
          <Button
            aria-label={`Resend the invitation to ${email}`}
            disabled={!mayResend}
            loading={resend.isPending && resend.input?.id === invitation.id}
            onClick={() =>
              resend.mutate(invitation, {
                onSuccess: () => toast.success('Another mail is on its way.'),
                onError: failed,
              })
            }
          >
            Resend
          </Button>
          <Button
            danger
            aria-label={`Revoke the invitation to ${email}`}
            loading={revoke.isPending && revoke.input?.id === invitation.id}
            onClick={() =>
              revoke.mutate(invitation, {
                onSuccess: () => toast.success('The invitation is revoked.'),
                onError: failed,
              })
            }
          >
            Revoke
          </Button>
        </div>
      )}
    </li>
  )
}
