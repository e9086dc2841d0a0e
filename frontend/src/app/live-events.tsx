import { eventsApi } from '@parley/contracts/platform/event-stream'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { UnreadTitle } from '../features/conversations/list/unread-title.tsx'
import { isRefusal, openEvents } from '../lib/api.ts'
import { reportFollowed } from '../lib/connection.ts'
import { followEvents } from '../lib/follow-events.ts'
import { noticeSessionEnd } from '../lib/query-client.ts'
import { useLoaded } from '../lib/use-loaded.ts'
import { whenIdle } from '../lib/when-idle.ts'

/** Loads the title's counter apart: it reads the inbox, which must not delay the screen that is opening. */
const loadUnreadTitle = async () => {
  await whenIdle()
  return UnreadTitle
}

/** Minimum milliseconds until a reconnection is reported. */
const reportedAfterMs = 10_000

/**
 * One connection of this tab, on which the server reports changes of the workspace; closed with the session. Each event
 * goes to the `events.ts` of the feature that it is about, in order.
 */
export function LiveEvents() {
  const client = useQueryClient()
  useEffect(() => {
    const left = new AbortController()
    const loss = lossReport()
    let missed = false
    const inOrder = queue(() => {
      missed = true
    })
    const receiveInOrder = async (name: string | undefined, text: string, isAgain = false): Promise<void> => {
      const { receive, readsUnderWay } = await import('./live-domains.ts')
      if (missed) void client.invalidateQueries()
      missed = false
      const isStillUnderWay = readsUnderWay(client)
      await receive(client, name, text)
      // An answer that is older than the event would take back what it told: it is taken in once more, on top of the answer.
      // Once: what is under way by then was asked for after the event, and two events would have each other taken in for ever.
      const older = isAgain ? [] : isStillUnderWay()
      if (older.length > 0) void Promise.allSettled(older).then(() => inOrder(() => receiveInOrder(name, text, true)))
    }
    void followEvents({
      open: (options) => openEvents(eventsApi.stream, options),
      onOpen: (resumed) => {
        loss.over()
        if (!resumed) inOrder(() => refreshEarlierReads(client))
      },
      onMessage: ({ event, data }) => inOrder(() => receiveInOrder(event, data)),
      onEnd: (error) => {
        loss.began()
        noticeSessionEnd(error)
      },
      signal: left.signal,
    })
    return () => {
      left.abort()
      loss.over()
    }
  }, [client])
  const Title = useLoaded(loadUnreadTitle)
  return Title && <Title />
}

/** Carries out one after the other; a failure is that one's own. */
function queue(onFailure: () => void) {
  let last = Promise.resolve()
  return (work: () => Promise<void>): void => {
    last = last.then(work).catch(onFailure)
  }
}

/**
 * Refetches shown data that was read before the stream was open, since it may have changed in between without an event. What the
 * server refused (not found, not allowed) stays as it is: reading it again would hide its text for a moment, and the button that
 * the person is about to press.
 */
async function refreshEarlierReads(client: QueryClient): Promise<void> {
  const { followedKeys } = await import('./live-domains.ts')
  const earlier = followedKeys.flatMap((queryKey) => client.getQueryCache().findAll({ queryKey }))
  await Promise.allSettled(earlier.map((query) => query.promise))
  const hashes = new Set(earlier.filter(({ state }) => !isRefusal(state.error)).map(({ queryHash }) => queryHash))
  void client.invalidateQueries({ predicate: ({ queryHash }) => hashes.has(queryHash) })
}

function lossReport() {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    began: () => {
      timer ??= setTimeout(() => reportFollowed(false), reportedAfterMs)
    },
    over: () => {
      clearTimeout(timer)
      timer = undefined
      reportFollowed(true)
    },
  }
}
