import { AuthError } from './auth-error.ts'
import { signInByPopup } from './popup.ts'
import { leaveForProvider } from './redirect.ts'

/** `left`: the page went to the provider, and the person came back by the browser's Back button. */
export type SignInResult = 'signed-in' | 'left'

/**
 * Signs in with Google by a popup, or by a redirect where the browser blocks it. To be called straight from a click.
 * @throws AuthError
 */
export async function signInWithGoogle(page: 'login' | 'signup'): Promise<SignInResult> {
  try {
    await signInByPopup()
    return 'signed-in'
  } catch (error) {
    if (!(error instanceof AuthError && error.code === 'popup-blocked')) throw error
  }
  await leaveForProvider(`google-${page}`, { google: true })
  return 'left'
}
