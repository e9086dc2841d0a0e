import { can, isWithin, type Role, roles } from '@parley/contracts/account/permissions'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useMay } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { useLast } from '../../../lib/use-last.ts'
import { useUser } from '../../../lib/user.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PasswordDialog } from '../../../ui/password-dialog.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import styles from '../settings.module.css'
import { SettingsCard } from '../settings-card.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberRows } from './member-rows.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { roleWords } from './roles.ts'
import team from './team.module.css'
import { type Asked, membersOptions, useTeamChanges } from './team-api.ts'

/** Returns whether the holder of a role may look at the workspace as this one sees it. */
const isLower = (role: Role, own: Role): boolean => can(own, 'members:change') && role !== own && isWithin(role, own)

/** The people of the workspace: who they are, who is invited, and what each role may do. */
export function TeamTab() {
  const user = useUser().data
  const mayInvite = useMay('members:invite') ?? false
  const members = useQuery(membersOptions())
  const changes = useTeamChanges()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const member = asked && 'member' in asked ? asked.member : undefined
  // The list is newer than the question where somebody else has changed the member meanwhile.
  const about = useLast(members.data?.find(({ id }) => id === member?.id) ?? member)

  const remove = () => {
    if (!about) return
    changes.remove.mutate(about, {
      onSuccess: () => {
        close()
        toast.success(`${about.name} was removed.`)
      },
      onError: (error) => toast.error(explain(error, `${about.name} could not be removed. Try again.`)),
    })
  }
  const viewAs = (role: Role) =>
    changes.viewAs.mutate(role, {
      onError: (error) => toast.error(explain(error, 'The workspace could not be shown so. Try again.')),
    })
  const leave = () =>
    changes.leave.mutate('leave', {
      onError: (error) => toast.error(explain(error, 'You could not leave the workspace. Try again.')),
    })

  return (
    <div className={styles['cards']}>
      <SettingsCard
        title="Members"
        lead="Everybody who works in this workspace."
        badge={
          mayInvite && (
            <Button type="primary" onClick={() => setAsked({ kind: 'invite' })}>
              Invite
            </Button>
          )
        }
      >
        {members.data && user ? (
          <MemberRows members={members.data} own={{ userId: user.id, role: user.role }} onAsk={setAsked} />
        ) : members.isLoadingError && !members.isFetching ? (
          <ErrorState message="The members could not be loaded." onRetry={() => void members.refetch()} />
        ) : (
          <SkeletonBlocks count={3} height="56px" className={team['rows']} />
        )}
      </SettingsCard>
      {mayInvite && <InvitationsCard changes={changes} />}
      <SettingsCard title="Roles" lead="What each role may do.">
        <dl className={team['roles']}>
          {roles.map((role) => (
            <div key={role}>
              <dt>{roleWords[role].label}</dt>
              <dd>
                <span className={team['who']}>{roleWords[role].may}</span>
                {user && isLower(role, user.role) && (
                  <Button size="small" loading={changes.viewAs.isPending} onClick={() => viewAs(role)}>
                    View as {roleWords[role].label}
                  </Button>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </SettingsCard>
      <SettingsCard
        title="Leave Workspace"
        lead="You lose access at once. Conversations that you own go back to the team."
      >
        <div className={styles['buttons']}>
          <Button danger onClick={() => setAsked({ kind: 'leave' })}>
            Leave Workspace
          </Button>
        </div>
      </SettingsCard>
      {user && (
        <>
          <InviteDialog open={asked?.kind === 'invite'} ownRole={user.role} invite={changes.invite} onClose={close} />
          <RoleDialog
            open={asked?.kind === 'role'}
            member={about}
            ownRole={user.role}
            change={changes.changeRole}
            onClose={close}
          />
        </>
      )}
      <PasswordDialog
        open={asked?.kind === 'transfer'}
        danger
        title={`Transfer the workspace to ${about?.name ?? ''}?`}
        lead="They become an owner, and you an admin: only an owner changes the plan."
        submitLabel="Transfer"
        run={async (_typed, intent) => about && changes.transfer.run(about.id, intent)}
        onDone={() => {
          void changes.transfer.onDone()
          close()
          toast.success(`${about?.name ?? ''} owns the workspace now. You are an admin.`)
        }}
        onSettled={changes.transfer.onSettled}
        failure="The workspace could not be transferred. Try again."
        onClose={close}
      />
      <ConfirmDialog
        open={asked?.kind === 'remove'}
        title={`Remove ${about?.name ?? ''}?`}
        confirmLabel="Remove"
        pending={changes.remove.isPending}
        onConfirm={remove}
        onClose={close}
      >
        They lose access at once, also while they type. Their open conversations go back to the team, and their name
        stays in the history. Invitations that they sent end. API keys that they made go on working: revoke those in
        Settings → API Keys.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked?.kind === 'leave'}
        title={`Leave ${user?.workspaceName ?? 'this workspace'}?`}
        confirmLabel="Leave"
        pending={changes.leave.isPending}
        onConfirm={leave}
        onClose={close}
      >
        You lose access at once. To come back you need another invitation.
      </ConfirmDialog>
    </div>
  )
}
