import { paths } from '../../app/paths.ts'
import type { SignInJourney } from '../../lib/auth/redirect.ts'

interface Journey {
  /** Target after success, and the message shown there. */
  readonly to: string
  readonly success?: string
  /** Target after a failure, and the message shown there unless the provider gave one. */
  readonly back: string
  readonly failure: string
}

/** Outcomes of each sign-in that leaves the form, by popup and redirect alike. */
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
