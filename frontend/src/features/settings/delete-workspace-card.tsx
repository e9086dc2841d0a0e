import { maxWorkspaceName } from '@parley/contracts/account/workspace'
import { restoreDays, workspaceDeletionApi } from '@parley/contracts/account/workspace-deletion'
import { dayOf } from '@parley/contracts/core/english-format'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useUser } from '../../lib/user.ts'
import { beginAnew } from '../../lib/workspace.ts'
import { PasswordDialog } from '../../ui/password-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

/** Deletes the workspace after its name and the password were typed; of one that is closed already, erases it at once. For owners. */
export function DeleteWorkspaceCard() {
  const user = useUser().data
  const [open, setOpen] = useState(false)
  if (user?.role !== 'owner') return null
  const name = user.workspaceName
  const isClosed = user.closesAt !== undefined
  return (
    <SettingsCard
      title="Delete Workspace"
      lead={
        isClosed
          ? `It will be erased on ${dayOf(user.closesAt ?? '')}. Until then you can restore it, at the top of each screen.`
          : `Everything of this business: numbers, contacts, conversations, campaigns, bots, files, keys and members. It stands still for ${restoreDays} days, in which an owner can restore it, and is then erased for good.`
      }
    >
      <div className={styles['buttons']}>
        <Button danger onClick={() => setOpen(true)}>
          {isClosed ? 'Erase Now' : 'Delete Workspace'}
        </Button>
      </div>
      <PasswordDialog
        open={open}
        danger
        title={isClosed ? `Erase ${name} now?` : `Delete ${name}?`}
        lead={
          isClosed
            ? 'Nobody can restore it afterwards.'
            : `Nothing is sent any more, API keys are refused, and the other members are told by email and shut out. You can restore it for ${restoreDays} days.`
        }
        submitLabel={isClosed ? 'Erase Now' : 'Delete Workspace'}
        typed={{
          field: 'name',
          name,
          isSame: (typed) => typed.trim() === name.trim(),
          wrong: 'Type the name as it is shown.',
          input: { maxLength: maxWorkspaceName, dir: 'auto' },
        }}
        run={(typed, intent) =>
          call(isClosed ? workspaceDeletionApi.eraseNow : workspaceDeletionApi.begin, {
            body: { name: typed },
            ...intent,
          })
        }
        onDone={() => {
          if (!isClosed) return beginAnew()
          setOpen(false)
          toast.success('The workspace is being erased.')
        }}
        failure="The workspace could not be deleted. Try again."
        onClose={() => setOpen(false)}
      />
    </SettingsCard>
  )
}
