import type { DraftFlow } from '@parley/contracts/automation/flow'
import { runsApi } from '@parley/contracts/automation/run-endpoints'
import { type Workflow, workflowsApi } from '@parley/contracts/automation/workflows'
import { problemsOf } from '@parley/flow/problems'
import { workflowSummaryOf } from '@parley/sample/workflows'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'
import { refusal } from '../refusal.ts'
import { change, find, insert, newRecord, now, remove, type Workspace } from './workspace.ts'

const countsOf = ({ nodes }: DraftFlow) => ({
  triggers: nodes.filter(({ type }) => type === 'trigger').length,
  actions: nodes.filter(({ type }) => type === 'action').length,
})

/** Workflows, each with one run that has ended. */
export function workflowHandlers({ workflows }: Workspace) {
  const deleted = new Map<string, Workflow>()
  const create = (name: string, draft: DraftFlow) =>
    insert<Workflow>(workflows, {
      ...newRecord('workflow'),
      name,
      draft,
      ...countsOf(draft),
      status: 'paused',
      unpublishedChanges: true,
      running: 0,
      attention: 0,
      executions: 0,
      succeeded: 0,
      successRate: 0,
      reEnrolment: 'never',
      coolDownSeconds: 0,
      startsPerHour: 1000,
      perContactPerHour: 5,
    })
  const summary = ({ draft: _draft, ...workflow }: Workflow) => workflow
  const runOf = (workflow: Workflow) => ({
    id: `run-of-${workflow.id}`,
    workflowId: workflow.id,
    number: workflow.publishedVersion ?? 1,
    started: { event: 'contact.tag_added' as const, detail: 'vip', by: 'user' },
    status: 'ended' as const,
    outcome: 'completed' as const,
    asks: false,
    contactId: 'contact-1',
    contactName: 'Priya Sharma',
    createdAt: now(),
    endedAt: now(),
  })
  return [
    answer(workflowsApi.list, ({ query }) => {
      const q = query.q?.toLowerCase() ?? ''
      const found = [...workflows.values()]
        .filter(({ name, status }) => name.toLowerCase().includes(q) && (!query.status || query.status === status))
        .sort((left, right) => left.name.localeCompare(right.name) || left.id.localeCompare(right.id))
      return pageOf(found.map(summary), query)
    }),
    answer(workflowsApi.summary, () => workflowSummaryOf(workflows.values())),
    answer(workflowsApi.read, ({ params }) => find(workflows, params.id)),
    answer(workflowsApi.create, ({ body }) => create(body.name, body.draft ?? starterFlows.blank)),
    answer(workflowsApi.duplicate, ({ params, body }) => {
      const { name, draft } = find(workflows, params.id)
      return create(body.name ?? `${name} (copy)`, draft)
    }),
    answer(workflowsApi.update, ({ params, body: { version, ...patch } }) =>
      change(
        workflows,
        params.id,
        { ...patch, ...(patch.draft && { ...countsOf(patch.draft), unpublishedChanges: true }) },
        version,
      ),
    ),
    answer(workflowsApi.check, ({ params, body }) => ({
      problems: problemsOf(body.draft ?? find(workflows, params.id).draft).map(({ code, nodeId, message }) => ({
        code,
        severity: 'critical' as const,
        ...(nodeId !== null && { nodeId }),
        sentence: message,
      })),
      running: 0,
      movable: 0,
    })),
    answer(workflowsApi.publish, ({ params, body }) => {
      const number = (find(workflows, params.id).publishedVersion ?? 0) + 1
      const patch = {
        publishedVersion: number,
        unpublishedChanges: false,
        ...(body.start && { status: 'active' as const }),
      }
      return { workflow: change(workflows, params.id, patch, body.version), number, moved: 0, ended: 0 }
    }),
    answer(workflowsApi.start, ({ params }) => {
      if (find(workflows, params.id).publishedVersion === undefined)
        throw refusal('not_published', 'Publish this workflow first.')
      return change(workflows, params.id, { status: 'active' })
    }),
    answer(workflowsApi.pause, ({ params }) => change(workflows, params.id, { status: 'paused' })),
    answer(workflowsApi.remove, ({ params }) => {
      deleted.set(params.id, find(workflows, params.id))
      return remove(workflows, params.id)
    }),
    answer(workflowsApi.restore, ({ params }) =>
      insert(workflows, { ...find(deleted, params.id), status: 'paused' as const }),
    ),
    answer(workflowsApi.version, ({ params }) => ({
      number: params.number,
      publishedAt: now(),
      publishedBy: 'user-1',
      running: 0,
      flow: find(workflows, params.id).draft,
    })),
    answer(runsApi.ofWorkflow, ({ params, query }) =>
      pageOf(query.show === 'live' ? [] : [runOf(find(workflows, params.id))], query),
    ),
  ]
}
