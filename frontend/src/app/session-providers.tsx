import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { AuthProvider } from 'react-oidc-context'
import { boot, isBooted } from '../lib/auth/boot.ts'
import { userManager } from '../lib/auth/user-manager.ts'
import { queryClient } from '../lib/query-client.ts'
import { useLoaded } from '../lib/use-loaded.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { toastShown } from '../ui/toast.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { PageLoading } from './page-loading.tsx'
import { RedirectEnd } from './redirect-end.tsx'
import { SessionLoss } from './session-loss.tsx'
import { SessionSync } from './session-sync.tsx'

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
