import { authApi, type Credentials } from '@parley/contracts/auth'
import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts'
import { ApiError, call } from '../api.ts'
import { adoptUntilKnown, endSessionLocally, supersede } from './session.ts'
import { resetSync } from './sync.ts'
import { tellTabs } from './tabs.ts'
import { userManager } from './user-manager.ts'

/** A failed sign-in, sign-up, mail or sign-out. It holds nothing that the person typed. */
export class SignInError extends Error {
  /** What the provider or the server said, for people; `""` if it said nothing. */
  readonly providerMessage: string

  constructor(fallback: string, providerMessage = '') {
    super(providerMessage || fallback)
    this.name = 'SignInError'
    this.providerMessage = providerMessage
  }
}

const unreachable = 'Parley cannot be reached. Check your connection and try again.'
const unavailable = 'Signing in is not possible right now. Try again in a moment.'

/** Signs in with e-mail and password. @throws SignInError */
export async function signInWithPassword({ email, password }: Credentials): Promise<void> {
  supersede()
  try {
    await userManager.signinResourceOwnerCredentials({ username: email, password, skipUserInfo: true })
  } catch (error) {
    throw fromLibrary(error)
  }
  signedIn()
}

/** Creates an account, which signs in at once; the verification mail is on its way. @throws SignInError */
export async function signUp(credentials: Credentials): Promise<void> {
  supersede()
  await guarded('Failed to sign up', () => call(authApi.signUp, { body: credentials }))
  if ((await adoptUntilKnown()) !== 'signed-in') throw new SignInError('Failed to sign up')
  signedIn()
}

/** Mails a reset link if the address has an account; nobody learns whether it has one. @throws SignInError */
export const sendPasswordReset = (email: string): Promise<void> =>
  guarded('Failed to send password reset email', () => call(authApi.passwordReset, { body: { email } }))

/** Mails the verification link once more. @throws SignInError */
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

/** A sign-in has to be recorded anew even if the same person had been signed in before. */
function signedIn(): void {
  resetSync()
  tellTabs({ type: 'signed-in' })
}

async function guarded(fallback: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    await endIfUnauthenticated(error)
    throw new SignInError(fallback, error instanceof ApiError ? error.body.message : unreachable)
  }
}

/** The session has ended elsewhere: then it ends here too, and the page goes where the signed-out go. */
async function endIfUnauthenticated(error: unknown): Promise<void> {
  if (error instanceof ApiError && error.status === 401) await endSessionLocally()
}

/** The library's error holds the request, password in clear: it is replaced here and never passed on or logged. */
function fromLibrary(error: unknown): SignInError {
  if (error instanceof ErrorResponse) return new SignInError('Failed to sign in', error.error_description ?? '')
  const unanswered = error instanceof TypeError || error instanceof ErrorTimeout
  return new SignInError('Failed to sign in', unanswered ? unreachable : unavailable)
}
