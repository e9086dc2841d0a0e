import type { Credentials } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { ErrorResponse } from 'oidc-client-ts'
import { ApiError, call } from '../api.ts'
import { announceSignIn } from './announce-sign-in.ts'
import { AuthError, authErrorOf, isUnanswered } from './auth-error.ts'
import type { SignInResult } from './google.ts'
import { leaveForProvider } from './redirect.ts'
import { adoptUntilKnown, endSessionLocally, supersede } from './session.ts'
import { notifyTabs } from './tabs.ts'
import { userManager } from './user-manager.ts'

const unreachable = 'Parley cannot be reached. Check your connection and try again.'
const unavailable = 'Signing in is not possible right now. Try again in a moment.'

/**
 * Signs in with e-mail and password. Where the provider wants more than a password, or passwords on its own page only, that
 * page continues.
 * @throws AuthError
 */
export async function signInWithPassword({ email, password }: Credentials): Promise<SignInResult> {
  supersede()
  try {
    await userManager.signinResourceOwnerCredentials({ username: email, password, skipUserInfo: true })
  } catch (error) {
    if (!(error instanceof ErrorResponse && error.error === 'interaction_required')) throw fromLibrary(error)
    await leaveForProvider('hosted-login', { email })
    return 'left'
  }
  announceSignIn()
  return 'signed-in'
}

/**
 * Creates an account, which signs in at once, if need be on the provider's page; the verification mail is on its way.
 * @throws AuthError
 */
export async function signUp(credentials: Credentials): Promise<SignInResult> {
  supersede()
  const { email, signedIn } = await guarded('Failed to sign up', () => call(authApi.signUp, { body: credentials }))
  if (!signedIn) {
    await leaveForProvider('hosted-signup', { email })
    return 'left'
  }
  if ((await adoptUntilKnown()) !== 'signed-in') throw new AuthError('internal-error', 'Failed to sign up')
  announceSignIn()
  return 'signed-in'
}

/** Signs out here, at the server and in the other tabs. @throws AuthError if the server did not confirm. */
export async function signOut(): Promise<void> {
  await guarded('Failed to sign out', () => call(authApi.signOut))
  await userManager.removeUser()
  notifyTabs({ type: 'signed-out' })
}

/** Mails a reset link if the address has an account; does not reveal whether it has one. @throws AuthError */
export const sendPasswordReset = (email: string): Promise<void> =>
  guarded('Failed to send password reset email', () => call(authApi.passwordReset, { body: { email } }))

/** Mails the verification link once more. @throws AuthError */
export const resendVerification = (): Promise<void> =>
  guarded('Failed to resend verification email', () => call(authApi.verificationEmail))

/** Asks whether the address is verified by now; if so, the session carries it from here on. @throws ApiError, TypeError */
export async function reloadIdentity(signal: AbortSignal): Promise<void> {
  try {
    const { emailVerified } = await call(authApi.reload, { signal })
    if (emailVerified) await adoptUntilKnown()
  } catch (error) {
    await endIfUnauthenticated(error)
    throw error
  }
}

async function guarded<T>(fallback: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    await endIfUnauthenticated(error)
    const { code, providerMessage } = authErrorOf(error, fallback)
    throw new AuthError(code, fallback, error instanceof ApiError ? providerMessage : unreachable)
  }
}

/** The session has ended elsewhere: then it ends here too, and the page goes where the signed-out go. */
async function endIfUnauthenticated(error: unknown): Promise<void> {
  if (error instanceof ApiError && error.status === 401) await endSessionLocally()
}

/** The library's error holds the request, password in clear: it is replaced here and never passed on or logged. */
function fromLibrary(error: unknown): AuthError {
  const { code, providerMessage } = authErrorOf(error, 'Failed to sign in')
  if (error instanceof ErrorResponse) return new AuthError(code, 'Failed to sign in', providerMessage)
  return new AuthError(code, 'Failed to sign in', isUnanswered(error) ? unreachable : unavailable)
}
