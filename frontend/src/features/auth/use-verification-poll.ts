import { verificationPollMs } from '@parley/contracts/account/auth'
import { useEffect } from 'react'
import { reloadIdentity } from '../../lib/auth/sign-in.ts'

/**
 * Asks every 3 seconds whether the address is verified, and at once when the tab comes to the front, which is where a person
 * lands after opening the link. An answer that fails is asked for again by the next turn.
 */
export function useVerificationPoll(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const stop = new AbortController()
    let asking = false
    const ask = async () => {
      if (asking) return
      asking = true
      await reloadIdentity(stop.signal).catch(() => {})
      asking = false
    }
    const onVisible = () => {
      if (document.visibilityState === 'visible') void ask()
    }
    const timer = setInterval(() => void ask(), verificationPollMs)
    document.addEventListener('visibilitychange', onVisible)
    void ask()
    return () => {
      stop.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [active])
}
