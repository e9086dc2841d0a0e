import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { journeys } from '../features/auth/journeys.ts'
import { consumeRedirectOutcome, hasRedirectOutcome, type RedirectOutcome } from '../lib/auth/boot.ts'
import { toast } from '../ui/toast.ts'
import { PageLoading } from './page-loading.tsx'
import { paths } from './paths.ts'

/** Leads on from a redirect sign-in, once, before any screen shows. */
export function RedirectEnd({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const { key } = useLocation()
  const [left] = useState(() => (hasRedirectOutcome() ? key : undefined))
  useEffect(() => {
    const outcome = consumeRedirectOutcome()
    if (outcome) void navigate(leadOn(outcome), { replace: true })
  }, [navigate])
  // The router moves in a transition of its own, so only its place tells that it has moved.
  return key === left ? <PageLoading /> : children
}

/** Says what there is to say. @returns the path to go to. */
function leadOn(outcome: RedirectOutcome): string {
  if (outcome === 'stale') return paths.dashboard
  const { to, success, back, failure } = journeys[outcome.journey]
  if (outcome.error) toast.error(outcome.error.providerMessage || failure)
  else if (success) toast.success(success)
  return outcome.error ? back : to
}
