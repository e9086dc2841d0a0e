import { conversationsApi } from '@parley/contracts/conversations'
import type { Presence } from '@parley/contracts/events'
import { useEffect, useSyncExternalStore } from 'react'
import { call, isLive } from '../../lib/api.ts'
import { onSessionEnd } from '../../lib/auth/session-end.ts'

type Members = Presence['members']

/** The server forgets who has said nothing for 10 s, and so does the page, should the word of it be lost. */
const forgottenAfterMs = 12_000
const saidEveryMs = 5000

const nobody: Members = []
const present = new Map<string, Members>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

function set(conversationId: string, members: Members): void {
  clearTimeout(timers.get(conversationId))
  timers.delete(conversationId)
  if (members.length === 0) present.delete(conversationId)
  else {
    present.set(conversationId, members)
    timers.set(
      conversationId,
      setTimeout(() => set(conversationId, nobody), forgottenAfterMs),
    )
  }
  for (const listener of listeners) listener()
}

/** Takes in who is there now. */
export const receivePresence = ({ conversationId, members }: Presence): void => set(conversationId, members)

/** Who looks at a conversation or types in it, oneself included. */
export const usePresent = (conversationId: string): Members =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => present.get(conversationId) ?? nobody,
  )

/** Tells colleagues while this conversation is in view that one looks at it, or types. */
export function useTellPresence(conversationId: string, isTyping: boolean): void {
  useEffect(() => {
    if (!isLive('conversations')) return
    const tell = (state: 'looking' | 'typing' | 'gone') =>
      // Nobody's concern where it fails.
      void call(conversationsApi.presence, { params: { id: conversationId }, body: { state } }).catch(() => {})
    const say = () => {
      if (document.visibilityState === 'visible') tell(isTyping ? 'typing' : 'looking')
    }
    const onLook = () => (document.visibilityState === 'visible' ? say() : tell('gone'))
    say()
    const timer = setInterval(say, saidEveryMs)
    document.addEventListener('visibilitychange', onLook)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onLook)
      tell('gone')
    }
  }, [conversationId, isTyping])
}

onSessionEnd(() => {
  for (const id of [...present.keys()]) set(id, nobody)
})
