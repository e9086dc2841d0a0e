import { runsApi } from '@parley/contracts/automation/run-endpoints'
import { type Enrolment, workflowsApi } from '@parley/contracts/automation/workflows'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { flowQueries } from '../../flow-builder/flow-queries.ts'
import { flowReplays } from '../../flow-builder/flow-replays.ts'
import { flowRuns } from '../../flow-builder/flow-runs.ts'
import { flowTests } from '../../flow-builder/flow-tests.ts'
import { call } from '../../lib/api.ts'
import { workflowKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useChange } from '../../lib/use-change.ts'

/** Workflows by name. */
export const workflows = flowQueries(workflowKeys, {
  list: (query, signal) => call(workflowsApi.list, { query, signal }),
  read: (id, signal) => call(workflowsApi.read, { params: { id }, ...(signal && { signal }) }),
  create: (body, intent) => call(workflowsApi.create, { body, ...intent }),
  update: (id, body, intent) => call(workflowsApi.update, { params: { id }, body, ...intent }),
  setStatus: (id, status, intent) =>
    status === 'active'
      ? call(workflowsApi.start, { params: { id }, ...intent })
      : call(workflowsApi.pause, { params: { id }, body: {}, ...intent }),
  remove: (id, intent) => call(workflowsApi.remove, { params: { id }, ...intent }),
  restore: (id) => call(workflowsApi.restore, { params: { id } }),
  stale: (error) => staleRecord(error, workflowsApi.update),
})

/** Versions and runs of workflows. */
export const runs = flowRuns('workflow', workflowKeys, {
  calls: {
    check: (id, number, signal) => call(workflowsApi.check, { params: { id }, body: { number }, signal }),
    publish: async (id, body, intent) => {
      const { workflow, ...rest } = await call(workflowsApi.publish, { params: { id }, body, ...intent })
      return { flow: workflow, ...rest }
    },
    restoreVersion: async (id, from, body, intent) => {
      const { workflow, ...rest } = await call(workflowsApi.restoreVersion, {
        params: { id, number: from },
        body,
        ...intent,
      })
      return { flow: workflow, ...rest }
    },
    versions: (id, cursor, signal) =>
      call(workflowsApi.versions, { params: { id }, query: { limit: 25, cursor }, signal }),
    endRuns: (id, intent) => call(workflowsApi.pause, { params: { id }, body: { running: 'end' }, ...intent }),
    duplicate: (id, name, intent) => call(workflowsApi.duplicate, { params: { id }, body: { name }, ...intent }),
    version: (id, number, signal) => call(workflowsApi.version, { params: { id, number }, signal }),
    counts: (id, query, signal) => call(workflowsApi.counts, { params: { id }, query, signal }),
    runs: (id, query, signal) => call(runsApi.ofWorkflow, { params: { id }, query, signal }),
    attention: (cursor, signal) => call(runsApi.attention, { query: { state: 'open', limit: 50, cursor }, signal }),
  },
  receive: workflows.receive,
  receiveStale: workflows.receiveStale,
})

/** Saves when a workflow starts, and how often. */
export function useSaveEnrolment(id: string) {
  const client = useQueryClient()
  return useChange({
    run: (body: Enrolment & { version: number }, intent) =>
      call(workflowsApi.update, { params: { id }, body, ...intent }),
    onSuccess: (workflow) => workflows.receive(client, workflow),
    onError: (error) => workflows.receiveStale(client, error),
  })
}

/** Counters of all workflows together. */
export const workflowSummaryOptions = () =>
  queryOptions({
    queryKey: workflowKeys.summary,
    queryFn: ({ signal }) => call(workflowsApi.summary, { signal }),
  })

/** Recorded tests of workflows. */
export const workflowTests = flowTests(workflowKeys, {
  list: (id, signal) => call(workflowsApi.tests, { params: { id }, signal }),
  create: (id, body, intent) => call(workflowsApi.createTest, { params: { id }, body, ...intent }),
  accept: (id, { id: testId, version }, draft, intent) =>
    call(workflowsApi.updateTest, { params: { id, testId }, body: { accept: true, draft, version }, ...intent }),
  remove: (id, testId, intent) => call(workflowsApi.removeTest, { params: { id, testId }, ...intent }),
  run: (id, draft) => call(workflowsApi.runTests, { params: { id }, body: { draft } }),
})

/** Ended runs, played once more against a draft. */
export const workflowReplays = flowReplays('workflow', workflowKeys, (id, body, signal) =>
  call(workflowsApi.replay, { params: { id }, body, signal }),
)
