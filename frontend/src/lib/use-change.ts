import { hashKey, useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { ApiError } from './api.ts'

/** Identity of one intended change, however often it is tried: the server carries it out once. */
export interface Intent {
  readonly idempotencyKey: string
}

interface Wanted<I, O, C> extends Intent {
  readonly input: I
  /** Change as it was when the person pressed: by the time of an undo the screen may show another record. */
  readonly change: Change<I, O, C>
}

interface Change<I, O, C> {
  readonly run: (input: I, intent: Intent) => Promise<O>
  /** Called before it is sent; its result is passed to the other callbacks. */
  readonly onStart?: (input: I) => Promise<C> | C
  readonly onSuccess?: (output: O, input: I, started: C) => unknown
  readonly onError?: (error: Error, input: I, started: C | undefined) => unknown
  readonly onSettled?: (started: C | undefined) => unknown
  /** Changes of the same scope are carried out one after the other. */
  readonly scope?: string
  /**
   * A second press for the same while the first is on its way: does nothing (a form), or is carried out too (a switch). One
   * for something else waits for its turn: it is not lost.
   */
  readonly again?: 'ignored' | 'queued'
}

interface Then<O> {
  readonly onSuccess?: (output: O) => unknown
  readonly onError?: (error: Error) => unknown
}

/** True where there was no answer, or one that does not tell whether the change was carried out. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.body.code === 'request_in_progress'

/**
 * A change that a person asks for. A second press for the same while it is on its way does nothing unless told. Pressing again after it
 * stayed unanswered is the same intent: it bears the same key, so that nothing is carried out twice.
 */
export function useChange<I = void, O = unknown, C = undefined>(change: Change<I, O, C>) {
  const { scope, again = 'ignored' } = change
  const mutation = useMutation<O, Error, Wanted<I, O, C>, C | undefined>({
    mutationFn: ({ input, idempotencyKey, change }) => change.run(input, { idempotencyKey }),
    onMutate: ({ input, change }) => change.onStart?.(input),
    // `onStart` has run by then; where there is none, `C` is undefined.
    onSuccess: (output, { input, change }, started) => change.onSuccess?.(output, input, started as C),
    onError: (error, { input, change }, started) => change.onError?.(error, input, started),
    onSettled: (_output, _error, { change }, started) => change.onSettled?.(started),
    ...(scope !== undefined && { scope: { id: scope } }),
  })
  const held = useRef({ scope, change })
  if (held.current.scope === scope) held.current.change = change
  else held.current = { scope, change }
  const heldChange = held.current
  const running = useRef<{ readonly hash: string; readonly result: Promise<O> }>(undefined)
  const unanswered = useRef<{ readonly hash: string; readonly key: string }>(undefined)
  const start = mutation.mutateAsync

  const mutateAsync = useCallback(
    function mutateAsync(input: I, then: Then<O> = {}): Promise<O> {
      const hash = hashKey([input])
      const before = running.current
      if (before && again === 'ignored') {
        if (before.hash === hash) return before.result
        return before.result.catch(() => {}).then(() => mutateAsync(input, then))
      }
      const key = unanswered.current?.hash === hash ? unanswered.current.key : crypto.randomUUID()
      unanswered.current = undefined
      const result = start(
        { input, idempotencyKey: key, change: heldChange.change },
        {
          onSuccess: (output) => void then.onSuccess?.(output),
          onError: (error) => {
            then.onError?.(error)
          },
        },
      )
        .catch((error: unknown) => {
          if (isUnanswered(error)) unanswered.current = { hash, key }
          throw error
        })
        .finally(() => {
          if (running.current?.result === result) running.current = undefined
        })
      running.current = { hash, result }
      return result
    },
    [start, again, heldChange],
  )
  const mutate = useCallback(
    // Failures are reported by `onError`.
    (input: I, then?: Then<O>): void => void mutateAsync(input, then).catch(() => {}),
    [mutateAsync],
  )
  return { mutate, mutateAsync, isPending: mutation.isPending, error: mutation.error, input: mutation.variables?.input }
}
