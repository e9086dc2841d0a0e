import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, use } from 'react'
import { AuthProvider } from 'react-oidc-context'
import { boot } from '../lib/auth/boot.ts'
import { userManager } from '../lib/auth/user-manager.ts'
import { queryClient } from '../lib/query-client.ts'
import { Toaster } from '../ui/toaster.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { PageLoading } from './page-loading.tsx'
import { RedirectEnd } from './redirect-end.tsx'
import { SessionLoss } from './session-loss.tsx'
import { SessionSync } from './session-sync.tsx'

/** Session, server state and notifications for what stands inside; shows the spinner until the session is known. */
export function SessionProviders({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={<PageLoading />}>
      <Booted>
        <AuthProvider userManager={userManager} skipSigninCallback>
          <QueryClientProvider client={queryClient}>
            <SessionSync />
            <SessionLoss />
            <ConnectionBanner />
            <RedirectEnd>{children}</RedirectEnd>
            <Toaster />
          </QueryClientProvider>
        </AuthProvider>
      </Booted>
    </Suspense>
  )
}

/** The provider is mounted only when the session is known, so that a reload never shows the login page in passing. */
function Booted({ children }: { children: ReactNode }) {
  use(boot())
  return children
}
