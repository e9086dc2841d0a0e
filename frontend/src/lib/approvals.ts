import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { type Approval, approvalsApi } from '@parley/contracts/platform/approvals'
import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { toast } from '../ui/toast.ts'
import { ApiError, call } from './api.ts'
import { onSessionEnd } from './auth/session-end.ts'
import { explain } from './explain.ts'
import { approvalKeys, campaignKeys } from './query-keys.ts'
import { useChange } from './use-change.ts'

type AskedAction = EndpointRequest<typeof approvalsApi.askFor>['body']['action']

/** An action that was refused until another member approves it. */
interface Refused {
  readonly action: AskedAction
  /** Sentence of the server: the rule, and what to do next. */
  readonly message: string
}

let refused: Refused | undefined
const listeners = new Set<() => void>()

function set(next: Refused | undefined): void {
  refused = next
  for (const listener of listeners) listener()
}
onSessionEnd(() => set(undefined))

/**
 * Opens the dialog that asks for an approval where one is what an action was refused for.
 * @returns false where it was refused for something else, or was asked for already.
 */
export function offerApproval(error: unknown, action: AskedAction): boolean {
  if (!(error instanceof ApiError) || error.body.code !== 'approval_required') return false
  if (error.body.fields?.['approval'] === 'pending') return false
  set({ action, message: error.body.message ?? 'This needs the approval of a second member.' })
  return true
}

export const closeRefused = (): void => set(undefined)

export const useRefused = (): Refused | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => refused,
  )

type Decision = { decision: 'approve' } | { decision: 'decline'; reason: string }

/** Asks for the approval of an action, and decides on requests. @param draftId whose requests are read again. */
export function useApprovalChanges(draftId?: string) {
  const client = useQueryClient()
  const readAgain = () => {
    void client.invalidateQueries({ queryKey: approvalKeys.waiting })
    if (draftId !== undefined) void client.invalidateQueries({ queryKey: campaignKeys.approval(draftId) })
  }
  const show = (approval: Approval) => {
    if (draftId !== undefined) client.setQueryData(campaignKeys.approval(draftId), approval)
    void client.invalidateQueries({ queryKey: approvalKeys.waiting })
  }
  const failed = (sentence: string) => (error: Error) => {
    toast.error(explain(error, sentence))
    readAgain()
  }
  const notSent = failed('The request could not be sent. Try again.')
  const askFor = useChange({
    run: (body: { action: AskedAction; note: string }, intent) => call(approvalsApi.askFor, { body, ...intent }),
    onSuccess: show,
    onError: notSent,
  })
  const ask = useChange({
    run: (body: { preflightId: string; note: string }, intent) =>
      call(approvalsApi.ask, { params: { id: draftId ?? '' }, body, ...intent }),
    onSuccess: show,
    onError: notSent,
  })
  const decide = useChange({
    run: ({ id, ...body }: { id: string } & Decision, intent) =>
      call(approvalsApi.decide, { params: { id }, body, ...intent }),
    onSuccess: show,
    onError: failed('The decision could not be stored. Try again.'),
  })
  return { ask, askFor, decide }
}
