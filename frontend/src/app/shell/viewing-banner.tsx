import { authApi } from '@parley/contracts/account/auth-endpoints'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { useChange } from '../../lib/use-change.ts'
import { useUser } from '../../lib/user.ts'
import { beginAnew } from '../../lib/workspace.ts'
import { ActionButton } from '../../ui/action.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './invitations-banner.module.css'

/** Banner for an owner or admin who sees the workspace as a lower role has it, with the way back. */
export function ViewingBanner() {
  const user = useUser().data
  const stop = useChange({
    run: (_: 'stop', intent) => call(authApi.viewAs, { body: { role: null }, ...intent }),
    onSuccess: () => beginAnew(),
    onError: (error) => toast.error(explain(error, 'This could not be stopped. Try again.')),
  })
  if (!user?.viewing) return null
  return (
    <section className={styles['banner']} aria-label="View as another role">
      <p className={styles['words']}>
        You see this workspace as {user.role === 'viewer' ? 'a' : 'an'} <b>{user.role}</b> does. Nothing can be changed
        meanwhile.
      </p>
      <div className={styles['buttons']}>
        <ActionButton primary aria-busy={stop.isPending} onClick={() => stop.mutate('stop')}>
          Stop
        </ActionButton>
      </div>
    </section>
  )
}
