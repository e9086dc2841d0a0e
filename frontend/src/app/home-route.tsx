import { lazy, Suspense, useEffect, useState } from 'react'
import { LandingPage } from '../features/landing/landing-page.tsx'
import { hasSignedInHint } from '../lib/auth/sign-in-hint.ts'
import { loadComponent } from './lazy-page.ts'
import { PageLoading } from './page-loading.tsx'

const HomeForward = lazy(async () => ({
  default: await loadComponent(async () => (await import('./home-forward.tsx')).HomeForward),
}))

/**
 * The landing page, painted at once for a visitor who has not signed in here. Whether a session exists anyway is asked
 * in passing, without loading the sign-in code; a signed-in visitor is sent on.
 */
export function HomeRoute() {
  const [signedIn, setSignedIn] = useState(hasSignedInHint)
  useEffect(() => {
    if (signedIn) return
    const stop = new AbortController()
    void asksForForwarding(stop.signal).then((found) => found && setSignedIn(true))
    return () => stop.abort()
  }, [signedIn])
  if (!signedIn) return <LandingPage />
  return (
    <Suspense fallback={<PageLoading />}>
      <HomeForward />
    </Suspense>
  )
}

async function asksForForwarding(signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch('/auth/session', { credentials: 'include', signal })
    const session: unknown = response.ok ? await response.json() : null
    return (
      typeof session === 'object' && session !== null && 'authenticated' in session && session.authenticated === true
    )
  } catch {
    return false
  }
}
