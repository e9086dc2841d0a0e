import { paths } from '../../app/paths.ts'
import type { SignInJourney } from '../../lib/auth/redirect.ts'

interface Journey {
  /** Where it leads, and what is said there. */
  readonly to: string
  readonly success?: string
  /** Where it goes back to if it fails, and what is said there unless the provider has said more. */
  readonly back: string
  readonly failure: string
}

/** How each sign-in that leaves the form ends: by popup and redirect alike. */
export const journeys: Record<SignInJourney, Journey> = {
  'google-login': {
    to: paths.dashboard,
    success: 'Logged in successfully!',
    back: paths.login,
    failure: 'Failed to log in with Google',
  },
  'google-signup': { to: paths.profileSetup, back: paths.signup, failure: 'Failed to sign up with Google' },
  'hosted-login': {
    to: paths.dashboard,
    success: 'Logged in successfully!',
    back: paths.login,
    failure: 'Failed to sign in',
  },
  // The account exists by then, so a failure is one of logging in.
  'hosted-signup': {
    to: paths.verifyEmail,
    success: 'Account created! Please verify your email.',
    back: paths.login,
    failure: 'Failed to sign in',
  },
}
