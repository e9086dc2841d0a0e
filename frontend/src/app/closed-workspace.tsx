import type { User } from '@parley/contracts/account/profile'
import { workspaceApi } from '@parley/contracts/account/workspace'
import { dayOf } from '@parley/contracts/core/english-format'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { call } from '../lib/api.ts'
import { signOut } from '../lib/auth/sign-in.ts'
import { explain } from '../lib/explain.ts'
import { workspaceKeys } from '../lib/query-keys.ts'
import { useChange } from '../lib/use-change.ts'
import { goToWorkspace } from '../lib/workspace.ts'
import { ActionButton } from '../ui/action.tsx'
import { useDocumentTitle } from '../ui/document-title.ts'
import { Logo } from '../ui/logo.tsx'
import { toast } from '../ui/toast.ts'
import styles from './closed-workspace.module.css'
import { paths } from './paths.ts'

/** A workspace that its owner is deleting, as a member sees it: until when, whom to ask, and their other workspaces. */
export function ClosedWorkspace({ user }: { user: User & { readonly closesAt: string } }) {
  const navigate = useNavigate()
  useDocumentTitle('Workspace closed')
  const { data: workspaces = [] } = useQuery({
    queryKey: workspaceKeys.list,
    queryFn: async ({ signal }) => (await call(workspaceApi.list, { signal })).items,
  })
  const go = useChange({
    run: (id: string) => goToWorkspace(id),
    onError: (error) => toast.error(explain(error, 'The workspace could not be opened. Try again.')),
  })
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate(paths.login, { replace: true }),
    onError: () => toast.error('Failed to sign out'),
  })
  const others = workspaces.filter(({ id }) => id !== user.workspaceId)
  return (
    <main className={styles['page']}>
      <Logo />
      <h1 className={styles['title']}>
        <span dir="auto">{user.workspaceName}</span> is being deleted
      </h1>
      <p className={styles['lead']}>
        An owner is deleting this workspace. It will be erased on {dayOf(user.closesAt)}; until then an owner can
        restore it. Ask one of them if this is a mistake.
      </p>
      {others.length > 0 && (
        <section className={styles['others']} aria-label="Your other workspaces">
          {others.map(({ id, name }) => (
            <ActionButton key={id} primary aria-busy={go.isPending} onClick={() => go.mutate(id)}>
              Open {name}
            </ActionButton>
          ))}
        </section>
      )}
      <ActionButton aria-busy={leave.isPending} onClick={() => leave.mutate()}>
        Logout
      </ActionButton>
    </main>
  )
}
