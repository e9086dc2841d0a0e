import { type Workflow, workflowsApi } from '@parley/contracts/automation/workflows'
import { problemsOf } from '@parley/flow/problems'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { workflowSummaryOf } from '@parley/sample/workflows'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { answer, refusal, refuseStale } from '../answer.ts'
import { binOf } from '../bin.ts'
import { pageOf } from '../page-of.ts'
import { withoutAbsent } from '../without-absent.ts'

const now = () => new Date().toISOString()

function workflowOf({ workflows }: SampleDataset, id: string): Workflow {
  const workflow = workflows.get(id)
  if (!workflow) throw refusal('not_found', 'This workflow does not exist. It may have been deleted.')
  return workflow
}

function store({ workflows }: SampleDataset, workflow: Workflow): Workflow {
  workflows.set(workflow.id, workflow)
  return workflow
}

/** Answers the workflows' calls from the sample workspace. */
export const answers = [
  answer(workflowsApi.list, ({ query }, { workflows }) => {
    const q = query.q?.toLowerCase() ?? ''
    const found = [...workflows.values()]
      .filter(({ name, status }) => name.toLowerCase().includes(q) && (!query.status || query.status === status))
      .sort((left, right) => left.name.localeCompare(right.name) || left.id.localeCompare(right.id))
    return pageOf(found, query)
  }),
  answer(workflowsApi.summary, (_, { workflows }) => workflowSummaryOf(workflows.values())),
  answer(workflowsApi.read, ({ params }, sampleDataset) => workflowOf(sampleDataset, params.id)),
  answer(workflowsApi.create, ({ body }, sampleDataset) =>
    store(sampleDataset, {
      id: `workflow-${crypto.randomUUID()}`,
      createdAt: now(),
      updatedAt: now(),
      version: 1,
      name: body.name,
      status: 'paused',
      draft: body.draft ?? starterFlows.blank,
      executions: 0,
      succeeded: 0,
      successRate: 0,
      reEnrolment: 'never',
    }),
  ),
  answer(workflowsApi.update, ({ params, body }, sampleDataset) => {
    const workflow = workflowOf(sampleDataset, params.id)
    refuseStale('workflow', workflow, body.version)
    const { version, ...patch } = body
    const next: Workflow = { ...workflow, ...withoutAbsent(patch), version: version + 1, updatedAt: now() }
    const problem = problemsOf(next.draft)[0]
    if (body.status === 'active' && problem)
      throw refusal('invalid_flow', `${next.name} cannot start yet. ${problem.message}`)
    return store(sampleDataset, next)
  }),
  answer(workflowsApi.remove, ({ params }, sampleDataset) => {
    const workflow = workflowOf(sampleDataset, params.id)
    binOf<Workflow>(sampleDataset, 'workflows').set(workflow.id, workflow)
    sampleDataset.workflows.delete(workflow.id)
    return undefined
  }),
  answer(workflowsApi.restore, ({ params }, sampleDataset) => {
    const bin = binOf<Workflow>(sampleDataset, 'workflows')
    const workflow = bin.get(params.id)
    if (!workflow) throw refusal('not_found', 'This workflow can no longer be restored.')
    bin.delete(params.id)
    return store(sampleDataset, { ...workflow, status: 'paused', version: workflow.version + 1, updatedAt: now() })
  }),
]
