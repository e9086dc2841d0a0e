import type { AuthSession } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { User } from 'oidc-client-ts'
import { ApiError, call, setSubjectSource } from '../api.ts'
import { reportReachable } from '../connection.ts'
import { setStorageOwner } from '../session-storage.ts'
import { authTimes } from './auth-config.ts'
import { reportSessionEnd } from './session-end.ts'
import { setSignedInHint } from './sign-in-hint.ts'
import { userManager } from './user-manager.ts'

/**
 * `superseded`: a sign-in or sign-out happened meanwhile, so the answer was discarded. `unavailable`: the signed-in person could
 * not be determined (offline, 503); that is never a sign-out.
 */
export type Adoption = 'signed-in' | 'signed-out' | 'superseded' | 'unavailable'

const firstRetryMs = 1000
const maxRetryMs = 30_000
/** An ID token is not sent off with less than this left. */
const minLifeSeconds = 15

let epoch = 0
let inFlight: Promise<Adoption> | undefined
let settling: Promise<Adoption> | undefined
let current: User | undefined
setSubjectSource(() => current?.profile.sub)
const lossListeners = new Set<() => void>()

const endOf = () => {
  setStorageOwner(undefined)
  reportSessionEnd()
}

/** Registers a listener for a session that turns out to be over without a sign-out here. @returns a function that removes it. */
export function onSessionLost(listener: () => void): () => void {
  lossListeners.add(listener)
  return () => lossListeners.delete(listener)
}

userManager.events.addUserLoaded((user) => {
  if (current && current.profile.sub !== user.profile.sub) endOf()
  current = user
  setStorageOwner(user.profile.sub)
  setSignedInHint(true)
})
userManager.events.addUserUnloaded(() => {
  supersede()
  current = undefined
  setSignedInHint(false)
  endOf()
})
userManager.events.addAccessTokenExpiring(() => void adoptUntilKnown())
userManager.events.addAccessTokenExpired(() => void adoptUntilKnown())

/** Makes every answer that is still on its way worthless: the person has signed in or out since it was asked for. */
export function supersede(): void {
  epoch += 1
  inFlight = undefined
  settling = undefined
}

/**
 * Asks the server who is signed in and takes that over: at the start, after a sign-up, for renewal, on return to the tab.
 * Calls at the same time share one request. Never rejects.
 */
export function adoptSession(): Promise<Adoption> {
  if (inFlight) return inFlight
  const mine = adopt(epoch).finally(() => {
    if (inFlight === mine) inFlight = undefined
  })
  inFlight = mine
  return mine
}

async function adopt(startedIn: number): Promise<Adoption> {
  try {
    const session = await call(authApi.session, { timeoutMs: authTimes.frameMs })
    if (startedIn !== epoch) return 'superseded'
    reportReachable(true)
    if (!session.authenticated) {
      if (!current) {
        setSignedInHint(false)
        // The sign-out may have happened while this tab was away.
        setStorageOwner(undefined)
      }
      await endSessionLocally()
      return 'signed-out'
    }
    if (current && current.profile.sub !== session.claims.sub) {
      // No one is signed in here until the new page has loaded: no more requests are made for the old person.
      current = undefined
      endOf()
      window.location.reload()
      // The old person's page does nothing any more.
      return new Promise(() => {})
    }
    await store(session)
    return 'signed-in'
  } catch {
    return startedIn === epoch ? 'unavailable' : 'superseded'
  }
}

async function store(session: Extract<AuthSession, { authenticated: true }>): Promise<void> {
  const expiresAt = Math.floor(Date.now() / 1000) + session.expires_in
  const { id_token, access_token, token_type, scope, claims } = session
  // The library's type knows no `undefined` beside "absent"; the schema leaves absent claims out.
  const profile = claims as User['profile']
  await userManager.storeUser(new User({ id_token, access_token, token_type, scope, profile, expires_at: expiresAt }))
  // storeUser raises nothing; this arms the library's timers and raises userLoaded.
  await userManager.getUser(true)
}

/** Does the same as `adoptSession`, but asks again (after 1, 2, 4 … 30 s, and at once when the network is back) until it is known. */
export function adoptUntilKnown(): Promise<Adoption> {
  if (settling) return settling
  const mine = keepAsking().finally(() => {
    if (settling === mine) settling = undefined
  })
  settling = mine
  return mine
}

async function keepAsking(): Promise<Adoption> {
  for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
    const outcome = await adoptSession()
    if (outcome !== 'unavailable') return outcome
    reportReachable(false)
    await pause(waitMs)
  }
}

function pause(waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, waitMs)
    window.addEventListener('online', go)
  })
}

/** Names the sign-in of this page, `undefined` if no one is signed in: a new sign-in has another name. */
export const signInName = (): string | undefined => current && `${current.profile.sub} ${current.profile.sid ?? ''}`

/** True while this person is the one who is signed in; ahead of React, which hears of an end a moment later. */
export const isSignedIn = (uid: string): boolean => current?.profile.sub === uid

/** Ends the session in this tab only: the server has said that it is over. */
export async function endSessionLocally(): Promise<void> {
  if (!current) return
  await userManager.removeUser()
  for (const listener of lossListeners) listener()
}

/**
 * Makes a call that carries the signed-in person's ID token as Bearer. A token that the server no longer takes was refused before
 * anything was done: the session is adopted again and the call made once more. Where another person has signed in meanwhile, the
 * page is reloaded instead.
 * @throws Error if no one is signed in or no token can be had right now; what the call throws.
 */
export async function withIdToken<T>(act: (bearer: string) => Promise<T>): Promise<T> {
  try {
    return await act(await freshIdToken())
  } catch (error) {
    if (!isRefusedToken(error) || (await adoptSession()) !== 'signed-in') throw error
    return act(await freshIdToken())
  }
}

const isRefusedToken = (error: unknown): boolean =>
  error instanceof ApiError && (error.body.code === 'token_rejected' || error.body.code === 'session_changed')

/** The ID token, renewed first if it is about to end. */
async function freshIdToken(): Promise<string> {
  if (current && (current.expires_in ?? 0) < minLifeSeconds) await adoptSession()
  const token = (current?.expires_in ?? 0) > 0 ? current?.id_token : undefined
  if (token === undefined) throw new Error('Nobody is signed in, or the sign-in could not be renewed.')
  return token
}
