import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowScript, FlowTest, FlowTestResult } from '@parley/contracts/automation/flow-tests'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { FlowKeys } from '../lib/query-keys.ts'
import { type Intent, useChange } from '../lib/use-change.ts'

/** A test to be kept, with the flow whose answers it expects. */
export interface NewFlowTest {
  readonly name: string
  readonly script: FlowScript
  readonly draft: DraftFlow
}

interface Calls {
  readonly list: (id: string, signal: AbortSignal) => Promise<{ items: FlowTest[] }>
  readonly create: (id: string, body: NewFlowTest, intent: Intent) => Promise<FlowTest>
  /** Has a test expect what a flow answers now. */
  readonly accept: (id: string, test: FlowTest, draft: DraftFlow, intent: Intent) => Promise<FlowTest>
  readonly remove: (id: string, testId: string, intent: Intent) => Promise<unknown>
  readonly run: (id: string, draft: DraftFlow) => Promise<{ results: FlowTestResult[] }>
}

export type FlowTests = ReturnType<typeof flowTests>

/** Queries and changes of the tests of one kind of flow. */
export function flowTests(keys: FlowKeys, calls: Calls) {
  const useAfter = (id: string) => {
    const client = useQueryClient()
    return () => Promise.all([keys.tests(id), keys.check(id)].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
  return {
    testsOptions: (id: string) =>
      queryOptions({ queryKey: keys.tests(id), queryFn: ({ signal }) => calls.list(id, signal) }),
    useCreateTest(id: string) {
      return useChange({
        run: (test: NewFlowTest, intent) => calls.create(id, test, intent),
        onSettled: useAfter(id),
      })
    },
    useAcceptTest(id: string) {
      return useChange({
        run: ({ test, draft }: { test: FlowTest; draft: DraftFlow }, intent) => calls.accept(id, test, draft, intent),
        onSettled: useAfter(id),
      })
    },
    useRemoveTest(id: string) {
      return useChange({
        run: (testId: string, intent) => calls.remove(id, testId, intent),
        onSettled: useAfter(id),
      })
    },
    /** Plays all tests against the flow on the canvas. */
    useRunTests(id: string) {
      return useChange({ run: (draft: DraftFlow) => calls.run(id, draft) })
    },
  }
}
