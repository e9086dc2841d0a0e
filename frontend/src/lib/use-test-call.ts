import { type CallTest, connectionsApi } from '@parley/contracts/automation/connections'
import { refusalReason } from '@parley/contracts/automation/refusals'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './api.ts'
import { connectionKeys } from './query-keys.ts'
import { useChange } from './use-change.ts'

type TestRequest = EndpointInput<typeof connectionsApi.test>['body'] & { readonly connectionId: string }

const pollMs = 500
const isOver = (test: CallTest | undefined) =>
  test !== undefined && test.state !== 'waiting' && test.state !== 'started'

/** Makes one real call by a connection, and follows it to its result. */
export function useTestCall() {
  const [at, setAt] = useState<{ connectionId: string; id: string }>()
  const start = useChange({
    run: ({ connectionId, ...body }: TestRequest, intent) =>
      call(connectionsApi.test, { params: { id: connectionId }, body, ...intent }),
    onSuccess: ({ id }, { connectionId }) => setAt({ connectionId, id }),
  })
  const { connectionId = '', id = '' } = at ?? {}
  const { data, error } = useQuery({
    queryKey: connectionKeys.test(connectionId, id),
    queryFn: ({ signal }) => call(connectionsApi.readTest, { params: { id: connectionId, callId: id }, signal }),
    enabled: at !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (isOver(state.data) || state.error ? false : pollMs),
  })
  const isPending = start.isPending || (at !== undefined && !isOver(data) && !error)
  return {
    start: (request: TestRequest) => {
      setAt(undefined)
      start.mutate(request)
    },
    result: isOver(data) ? data : undefined,
    error: start.error ?? error,
    isPending,
  }
}

/** Tells an answer in figures: `200 · 35 ms · 1.2 kB`. */
export function callFigures({ status, ms, bytes }: Pick<CallTest, 'status' | 'ms' | 'bytes'>): string {
  const size = bytes === undefined ? undefined : bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`
  return [status, ms === undefined ? undefined : `${ms} ms`, size].filter((part) => part !== undefined).join(' · ')
}

/** Tells how a test call has ended. */
export function callLine({ state, code, ...figures }: CallTest): string {
  const what = state === 'answered' ? 'Answered' : state === 'uncertain' ? 'Outcome unknown' : 'Failed'
  return [what, callFigures(figures), refusalReason(code)].filter(Boolean).join(' · ')
}
