import { LandingPage } from '../features/landing/landing-page.tsx'
import { Gate } from './gate.tsx'
import { homeVerdict } from './guard-rules.ts'
import { SessionProviders } from './session-providers.tsx'

/** Redirects a signed-in visitor of `/`; a visitor who turns out not to be signed in sees the landing page. */
export function HomeForward() {
  return (
    <SessionProviders>
      <Gate rule={homeVerdict}>
        <LandingPage />
      </Gate>
    </SessionProviders>
  )
}
