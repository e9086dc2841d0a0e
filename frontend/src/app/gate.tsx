import { type ReactNode, useDeferredValue } from 'react'
import { Navigate } from 'react-router-dom'
import { useSync } from '../lib/auth/sync.ts'
import { useAuthLoading, useIdentity, useUser } from '../lib/user.ts'
import { ErrorState } from '../ui/error-state.tsx'
import type { Verdict, VisitorFacts } from './guard-rules.ts'
import { PageLoading } from './page-loading.tsx'

/** Shows what stands inside, or does what the rule says instead. */
export function Gate({ rule, children }: { rule: (known: VisitorFacts) => Verdict; children: ReactNode }) {
  const authLoading = useAuthLoading()
  const identity = useIdentity()
  const syncDone = useSync(identity?.uid) === 'done'
  const user = useUser()
  const verdict = rule({
    authLoading,
    identity,
    syncDone,
    // A known user stays known while a later read fails, so that text typed inside is not lost.
    user: user.data
      ? { status: 'success', data: user.data }
      : { status: user.isLoadingError && !user.isFetching ? 'error' : 'pending' },
  })
  // The content is expensive to render: deferred, it is rendered in slices between which the page responds.
  const known = useDeferredValue(verdict.kind !== 'loading')
  if (verdict.kind === 'loading' || !known) return <PageLoading />
  if (verdict.kind === 'go') return <Navigate to={verdict.to} replace />
  if (verdict.kind === 'failed')
    return (
      <main>
        <ErrorState
          page
          title="Your profile could not be loaded"
          message="You are still signed in. Check your connection and try again."
          onRetry={() => void user.refetch()}
        />
      </main>
    )
  return children
}
