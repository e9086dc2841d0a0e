import { profileApi } from '@parley/contracts/account/profile'
import { useSyncExternalStore } from 'react'
import { ApiError, call } from '../api.ts'
import { endSessionLocally, isSignedIn, withIdToken } from './session.ts'
import { onSessionEnd } from './session-end.ts'

interface SyncState {
  readonly uid: string | null
  readonly done: boolean
}

const nothing: SyncState = { uid: null, done: false }
const attempts = 2

let state = nothing
/** Counts the runs, so that one which ends after a sign-out does not speak for the next person. */
let run = 0
const listeners = new Set<() => void>()

function set(next: SyncState): void {
  state = next
  for (const listener of listeners) listener()
}

/** Forgets that a sync has run: signing out does it, and a new sign-in, which has to be recorded again. */
export function resetSync(): void {
  run += 1
  set(nothing)
}
onSessionEnd(resetSync)

/**
 * Records the sign-in at the server, once per sign-in, with one retry. `settled` runs before the sync counts as done,
 * which it does whether it succeeded or failed.
 */
export async function syncSignIn(uid: string, settled: (succeeded: boolean) => void): Promise<void> {
  if (state.uid === uid || !isSignedIn(uid)) return
  run += 1
  const mine = run
  set({ uid, done: false })
  let succeeded = false
  for (let attempt = 1; attempt <= attempts && !succeeded && mine === run; attempt += 1) succeeded = await trySync()
  if (mine !== run) return
  settled(succeeded)
  set({ uid, done: true })
}

async function trySync(): Promise<boolean> {
  try {
    await withIdToken((bearer) => call(profileApi.sync, { bearer }))
    return true
  } catch (error) {
    // The session is over, which ends this run too: not a failure to speak of.
    if (error instanceof ApiError && error.status === 401 && error.body.code !== 'token_rejected')
      await endSessionLocally()
    return false
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `idle` until this person's sync has been started, then `running`, then `done`. */
export const useSync = (uid: string | undefined): 'idle' | 'running' | 'done' =>
  useSyncExternalStore(subscribe, () =>
    uid === undefined || state.uid !== uid ? 'idle' : state.done ? 'done' : 'running',
  )
