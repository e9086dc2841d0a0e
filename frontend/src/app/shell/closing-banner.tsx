import { workspaceDeletionApi } from '@parley/contracts/account/workspace-deletion'
import { dayOf } from '@parley/contracts/core/english-format'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { useChange } from '../../lib/use-change.ts'
import { useUser } from '../../lib/user.ts'
import { beginAnew } from '../../lib/workspace.ts'
import { ActionButton } from '../../ui/action.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './invitations-banner.module.css'

/** Tells an owner on every screen that the workspace is being deleted, with the way back. */
export function ClosingBanner() {
  const user = useUser().data
  const restore = useChange({
    run: (_: 'restore', intent) => call(workspaceDeletionApi.restore, intent),
    onSuccess: () => beginAnew(),
    onError: (error) => toast.error(explain(error, 'The workspace could not be restored. Try again.')),
  })
  if (!user?.closesAt) return null
  return (
    <section className={styles['banner']} aria-label="Workspace deletion">
      <p className={styles['words']}>
        <b dir="auto">{user.workspaceName}</b> will be erased on {dayOf(user.closesAt)}. Nothing is sent or changed
        meanwhile, and its other members cannot open it.
      </p>
      <div className={styles['buttons']}>
        <ActionButton primary aria-busy={restore.isPending} onClick={() => restore.mutate('restore')}>
          Restore
        </ActionButton>
      </div>
    </section>
  )
}
