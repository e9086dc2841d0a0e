import { SigninState } from 'oidc-client-ts'
import { z } from 'zod'
import { announceSignIn } from './announce-sign-in.ts'
import { authTimes } from './auth-config.ts'
import { AuthError, authErrorOf, eventErrorOf } from './auth-error.ts'
import { requireAuthorizedDomain, requireSetup } from './authorized-domain.ts'
import { userManager } from './user-manager.ts'

/** Journeys for which the page is left; each knows where to continue, so no address travels along. */
const signInJourneys = ['google-login', 'google-signup', 'hosted-login', 'hosted-signup'] as const
export type SignInJourney = (typeof signInJourneys)[number]

export interface RedirectResult {
  readonly journey: SignInJourney
  /** Absent: the person is signed in. */
  readonly error?: AuthError
  /** The server has issued a code, so a session has begun even if its code could not be redeemed. */
  readonly begun?: boolean
}

/** The handler page sends every redirect sign-in here. */
const callbackPath = '/login'
const startedSchema = z.object({ request_type: z.literal('si:r'), data: z.enum(signInJourneys) })

const fallbackOf = (journey: SignInJourney) =>
  journey.startsWith('google') ? 'Failed to sign in with Google' : 'Failed to sign in'

/**
 * Leaves for the provider's page. Resolves only if the person comes back by the browser's Back button.
 * @throws AuthError if the page could not be left.
 */
export async function leaveForProvider(
  journey: SignInJourney,
  to: { google: true } | { email: string },
): Promise<void> {
  const fallback = fallbackOf(journey)
  try {
    requireSetup(fallback)
    await requireAuthorizedDomain(fallback)
    await userManager.signinRedirect({
      state: journey,
      ...('email' in to ? { login_hint: to.email } : { extraQueryParams: { provider: 'google' } }),
    })
  } catch (error) {
    throw authErrorOf(error, fallback)
  }
}

/** Takes the result of a redirect sign-in out of the address, if there is one, and processes it. Never rejects. */
export async function finishRedirect(): Promise<RedirectResult | undefined> {
  const { pathname, search, href } = window.location
  const params = new URLSearchParams(search)
  const state = params.get('state')
  if (pathname !== callbackPath || state === null || !(params.has('code') || params.has('error'))) return undefined
  window.history.replaceState(window.history.state, '', callbackPath)

  const isNew = isNewEvent(state)
  const started = await startedAs(state)
  const journey = started ?? 'google-login'
  const fallback = fallbackOf(journey)
  if (!isNew || !started) return { journey, error: new AuthError('invalid-auth-event', fallback) }
  try {
    await userManager.signinRedirectCallback(href)
  } catch (error) {
    return { journey, error: eventErrorOf(error, fallback), begun: params.has('code') }
  }
  announceSignIn()
  return { journey }
}

/** Returns this browser's record of the sign-in; undefined if it never began here, or has ended. */
async function startedAs(state: string): Promise<SignInJourney | undefined> {
  try {
    const stored = await userManager.settings.stateStore.get(state)
    return stored === null ? undefined : startedSchema.parse(await SigninState.fromStorageString(stored)).data
  } catch {
    return undefined
  }
}

const eventsKey = 'sign-in-events'
const seenSchema = z.record(z.string(), z.number()).catch({})

/** Takes note of the result of a sign-in by its state. @returns false if this tab has seen it within the last 10 minutes. */
export function isNewEvent(state: string): boolean {
  const now = Date.now()
  const recent = Object.entries(readEvents()).filter(([, seenAt]) => now - seenAt < authTimes.eventCacheMs)
  const isNew = !recent.some(([seen]) => seen === state)
  if (isNew) writeEvents(Object.fromEntries([...recent, [state, now]]))
  return isNew
}

function readEvents(): Record<string, number> {
  try {
    return seenSchema.parse(JSON.parse(sessionStorage.getItem(eventsKey) ?? '{}'))
  } catch {
    return {}
  }
}

function writeEvents(seen: Record<string, number>): void {
  try {
    sessionStorage.setItem(eventsKey, JSON.stringify(seen))
  } catch {
    // A browser that refuses storage has no sign-in state either, so nothing can be repeated.
  }
}
