import { hasProfile, type User } from '@parley/contracts/account/profile'
import { type Identity, mustVerifyEmail } from '../lib/auth/identity.ts'
import { type AppPath, paths } from './paths.ts'

/** Facts known about the visitor. */
export interface VisitorFacts {
  readonly authLoading: boolean
  readonly identity: Identity | null
  readonly syncDone: boolean
  /** `pending` until the profile fetch has ended one way or the other. */
  readonly user:
    | { readonly status: 'pending' }
    | { readonly status: 'error' }
    | { readonly status: 'success'; readonly data: User }
}

export type Verdict =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'show' }
  | { readonly kind: 'go'; readonly to: AppPath }

const loading: Verdict = { kind: 'loading' }
const failed: Verdict = { kind: 'failed' }
const show: Verdict = { kind: 'show' }
const go = (to: AppPath): Verdict => ({ kind: 'go', to })

/** True until it is known whether somebody is signed in, and all that follows from a sign-in. */
const stillLoading = ({ authLoading, identity, syncDone, user }: VisitorFacts): boolean =>
  authLoading || (identity !== null && (!syncDone || user.status === 'pending'))

/** The guard, in its order: loading, login, verify e-mail, profile setup, page. */
export function protectedVerdict(known: VisitorFacts): Verdict {
  if (stillLoading(known)) return loading
  if (!known.identity) return go(paths.login)
  if (mustVerifyEmail(known.identity)) return go(paths.verifyEmail)
  if (known.user.status !== 'success') return failed
  return hasProfile(known.user.data) ? show : go(paths.profileSetup)
}

/** `/profile-setup` stands outside the guard: it is for the signed-in, verified visitor who has no profile yet. */
export function onboardingVerdict(known: VisitorFacts): Verdict {
  const verdict = protectedVerdict(known)
  if (verdict.kind === 'show') return go(paths.dashboard)
  return verdict.kind === 'go' && verdict.to === paths.profileSetup ? show : verdict
}

/** `/` sends a signed-in visitor on; for everybody else it is the landing page. */
export function homeVerdict(known: VisitorFacts): Verdict {
  if (stillLoading(known)) return loading
  if (!known.identity) return show
  if (known.user.status !== 'success') return failed
  return go(hasProfile(known.user.data) ? paths.dashboard : paths.profileSetup)
}
