import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { journeys } from '../features/auth/journeys.ts'
import { hasRedirectOutcome, takeRedirectOutcome } from '../lib/auth/boot.ts'
import { toast } from '../ui/toast.ts'
import { PageLoading } from './page-loading.tsx'
import { paths } from './paths.ts'

/** Leads on from a redirect sign-in, once, before any screen shows. */
export function RedirectEnd({ children }: { children: ReactNode }) {
  const go = useNavigate()
  const [leading, setLeading] = useState(hasRedirectOutcome)
  useEffect(() => {
    const outcome = takeRedirectOutcome()
    if (!outcome) return
    const lead = async (to: string) => {
      await go(to, { replace: true })
      setLeading(false)
    }
    if (outcome === 'stale') return void lead(paths.dashboard)
    const { to, success, back, failure } = journeys[outcome.journey]
    if (outcome.error) {
      toast.error(outcome.error.providerMessage || failure)
      return void lead(back)
    }
    if (success) toast.success(success)
    void lead(to)
  }, [go])
  return leading ? <PageLoading /> : children
}
