import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { AuthProvider } from 'react-oidc-context'
import { useLocation, useNavigate } from 'react-router-dom'
import { journeys } from '../features/auth/journeys.ts'
import { boot, consumeRedirectOutcome, hasRedirectOutcome, isBooted, type RedirectOutcome } from '../lib/auth/boot.ts'
import { onSessionLost } from '../lib/auth/session.ts'
import { syncSignIn, useSync } from '../lib/auth/sync.ts'
import { userManager } from '../lib/auth/user-manager.ts'
import { type Connection, useConnection } from '../lib/connection.ts'
import { queryClient } from '../lib/query-client.ts'
import { userKey } from '../lib/query-keys.ts'
import { useLoaded } from '../lib/use-loaded.ts'
import { useIdentity } from '../lib/user.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { toast, toastShown } from '../ui/toast.ts'
import styles from './connection-banner.module.css'
import { PageLoading } from './page-loading.tsx'
import { paths } from './paths.ts'

/** Loads the toaster after the page shows, unless there is something to say earlier. */
const loadToaster = async () => {
  await Promise.race([whenIdle(), toastShown()])
  return (await import('../ui/toaster.tsx')).Toaster
}

// Requested as soon as this code is loaded, while the component that shows the answer is still on its way.
void boot()

/**
 * Provides session, server state and notifications to its children; shows the spinner until the session is known, so that a
 * reload never shows the login page in passing.
 */
export function SessionProviders({ children }: { children: ReactNode }) {
  const Toaster = useLoaded(loadToaster)
  if (!useBooted()) return <PageLoading />
  return (
    <AuthProvider userManager={userManager} skipSigninCallback>
      <QueryClientProvider client={queryClient}>
        <SessionSync />
        <SessionLoss />
        <ConnectionBanner />
        <RedirectEnd>{children}</RedirectEnd>
        {Toaster && <Toaster />}
      </QueryClientProvider>
    </AuthProvider>
  )
}

/**
 * Returns whether the session is known. Avoids Suspense: React holds back what follows its spinner until that has shown for 300
 * ms.
 */
function useBooted(): boolean {
  const [booted, setBooted] = useState(isBooted)
  useEffect(() => {
    let left = false
    void boot().then(() => {
      if (!left) startTransition(() => setBooted(true))
    })
    return () => {
      left = true
    }
  }, [])
  return booted
}

const words: Readonly<Record<Exclude<Connection, 'online'>, string>> = {
  offline: 'You are offline. Parley will continue as soon as you are back online.',
  unreachable: 'Parley cannot be reached right now. Trying again…',
  interrupted: 'The connection was lost. New activity will appear once you are reconnected.',
}

/** Says calmly that the connection is gone; it goes by itself when the connection is back. */
function ConnectionBanner() {
  const connection = useConnection()
  return <div role="status">{connection !== 'online' && <p className={styles['banner']}>{words[connection]}</p>}</div>
}

/** Leads on from a redirect sign-in, once, before any screen shows. */
function RedirectEnd({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const { key } = useLocation()
  const [left] = useState(() => (hasRedirectOutcome() ? key : undefined))
  useEffect(() => {
    const outcome = consumeRedirectOutcome()
    if (outcome) void navigate(leadOn(outcome), { replace: true })
  }, [navigate])
  // The router moves in a transition of its own, so only its place tells that it has moved.
  return key === left ? <PageLoading /> : children
}

/** Says what there is to say. @returns the path to go to. */
function leadOn(outcome: RedirectOutcome): string {
  if (outcome === 'stale') return paths.dashboard
  const { to, success, back, failure } = journeys[outcome.journey]
  if (outcome.error) toast.error(outcome.error.providerMessage || failure)
  else if (success) toast.success(success)
  return outcome.error ? back : to
}

/** Says why the login page shows when a session has run out or was ended elsewhere. */
function SessionLoss() {
  useEffect(() => onSessionLost(() => toast.note('Your session has ended. Log in again.')), [])
  return null
}

/** Records each sign-in at the server. A failure is shown, and the app stays usable. */
function SessionSync() {
  const queryClient = useQueryClient()
  const uid = useIdentity()?.uid
  const sync = useSync(uid)
  useEffect(() => {
    if (uid === undefined || sync !== 'idle') return
    void syncSignIn(uid, (succeeded) => {
      if (!succeeded) toast.error('Sync failed')
      void queryClient.invalidateQueries({ queryKey: userKey })
    })
  }, [uid, sync, queryClient])
  return null
}
