import { useEffect, useRef, useState } from 'react'
import { AuthError, type AuthErrorCode } from '../../lib/auth/auth-error.ts'
import { signInWithGoogle } from '../../lib/auth/google.ts'
import { cancelPopup, onLateSignIn } from '../../lib/auth/popup.ts'
import { useNavigate } from '../../lib/navigation.ts'
import { toast } from '../../ui/toast.ts'
import { journeys } from './journeys.ts'

/** Advice for errors where trying again alone may not help. */
const advice: Partial<Record<AuthErrorCode, string>> = {
  'network-request-failed': 'Parley or Google cannot be reached. Check your connection and try again.',
  'popup-closed-by-user': 'Sign-in with Google was not completed. Try again, or use your email address.',
  'unauthorized-domain': 'Sign-in is not allowed from this address. Open Parley at its usual address.',
  'web-storage-unsupported': 'Your browser blocks storage for this site. Allow cookies and try again.',
}

const nothing = () => {}

/** The Google button of a page: the page decides where it leads and what is said. */
export function useGoogleSignIn(page: 'login' | 'signup') {
  const navigate = useNavigate()
  const { to, success, failure } = journeys[`google-${page}`]
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const latest = useRef(0)
  const stopListening = useRef(nothing)

  useEffect(
    () => () => {
      latest.current += 1
      stopListening.current()
      cancelPopup()
    },
    [],
  )

  async function finish() {
    if (success) toast.success(success)
    await navigate(to)
  }

  function fail(error: unknown) {
    const { code, providerMessage } =
      error instanceof AuthError ? error : { code: 'internal-error' as const, providerMessage: '' }
    toast.error(providerMessage || failure)
    setProblem(advice[code])
    stopListening.current = onLateSignIn(() => void finish())
  }

  /** A second press while the popup is open cancels the first attempt, which then says nothing: its successor will. */
  async function signIn() {
    latest.current += 1
    const mine = latest.current
    stopListening.current()
    setProblem(undefined)
    setPending(true)
    try {
      if ((await signInWithGoogle(page)) === 'signed-in') await finish()
    } catch (error) {
      if (mine === latest.current) fail(error)
    }
    if (mine === latest.current) setPending(false)
  }

  return { pending, problem, signIn: () => void signIn() }
}
