import { flowFormat } from '@parley/contracts/automation/flow'
import type { Workflow } from '@parley/contracts/automation/workflows'
import { dayMs } from './facts.ts'
import { repeated } from './repeated.ts'
import { workflowFlows } from './workflow-flows.ts'

const workflows = [
  { name: 'Welcome new contacts', status: 'active', executions: 1_208, succeeded: 1_190, reEnrolment: 'never' },
  { name: 'Thank VIP customers', status: 'active', executions: 214, succeeded: 212, reEnrolment: 'never' },
  { name: 'Ask for feedback', status: 'active', executions: 1_846, succeeded: 1_771, reEnrolment: 'when_finished' },
  { name: 'Campaign replies to sales', status: 'active', executions: 389, succeeded: 381, reEnrolment: 'always' },
  { name: 'Follow up on quiet chats', status: 'paused', executions: 96, succeeded: 81, reEnrolment: 'when_finished' },
] as const

/** The share of executions that succeeded, in percent with one decimal; 0 before the first. */
const successRateOf = (succeeded: number, executions: number): number =>
  executions === 0 ? 0 : Math.round((1000 * succeeded) / executions) / 10

/** Workflows by id; more than the story's own repeat them. */
export function createWorkflows(now: Date, count: number = workflows.length): Map<string, Workflow> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  return new Map(
    repeated(workflows, count).map(({ name, status, executions, succeeded, reEnrolment }, index) => {
      const id = `workflow-${index + 1}`
      const draft = workflowFlows[index % workflows.length] ?? { format: flowFormat, nodes: [], edges: [] }
      const workflow: Workflow = {
        id,
        createdAt: before(160 - (index % workflows.length) * 20),
        updatedAt: before(2 + (index % workflows.length) * 5),
        version: 2 + index,
        name,
        status,
        draft,
        publishedVersion: 2 + index,
        unpublishedChanges: false,
        running: 0,
        attention: 0,
        triggers: draft.nodes.filter(({ type }) => type === 'trigger').length,
        actions: draft.nodes.filter(({ type }) => type === 'action').length,
        executions,
        succeeded,
        successRate: successRateOf(succeeded, executions),
        reEnrolment,
        coolDownSeconds: 0,
        startsPerHour: 1000,
        perContactPerHour: 5,
      }
      return [id, workflow]
    }),
  )
}

/** The counters of all workflows together. */
export function workflowSummaryOf(all: Iterable<Workflow>) {
  const list = [...all]
  const sum = (of: (workflow: Workflow) => number) => list.reduce((total, workflow) => total + of(workflow), 0)
  const executions = sum((workflow) => workflow.executions)
  return {
    total: list.length,
    active: list.filter(({ status }) => status === 'active').length,
    executions,
    successRate: successRateOf(
      sum(({ succeeded }) => succeeded),
      executions,
    ),
  }
}
