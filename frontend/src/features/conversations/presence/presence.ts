import { conversationsApi } from '@parley/contracts/inbox/conversations'
import type { Presence } from '@parley/contracts/platform/event-stream'
import { useEffect, useSyncExternalStore } from 'react'
import { call } from '../../../lib/api.ts'
import { onSessionEnd } from '../../../lib/auth/session-end.ts'

type Members = Presence['members']

/** The server forgets who has said nothing for 10 s, and so does the page, should the word of it be lost. */
const forgottenAfterMs = 12_000
const announceEveryMs = 5000

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

/** Returns members who view a conversation or type in it, oneself included. */
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
  const state = isTyping ? 'typing' : 'looking'
  useEffect(() => {
    const announce = () => {
      if (document.visibilityState === 'visible') postPresence(conversationId, state)
    }
    announce()
    const timer = setInterval(announce, announceEveryMs)
    document.addEventListener('visibilitychange', announce)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', announce)
    }
  }, [conversationId, state])
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === 'hidden') postPresence(conversationId, 'gone')
    }
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      postPresence(conversationId, 'gone')
    }
  }, [conversationId])
}

/** Failures are ignored. */
function postPresence(id: string, state: 'looking' | 'typing' | 'gone'): void {
  void call(conversationsApi.presence, { params: { id }, body: { state } }).catch(() => {})
}

onSessionEnd(() => {
  for (const id of [...present.keys()]) set(id, nobody)
})
