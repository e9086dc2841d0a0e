import type { FlowTask } from '@parley/contracts/automation/flow-jobs'
import { createBulkWork } from './bulk-work.ts'
import type { FlowStep } from './flow-step.ts'
import { createStartWork } from './start-work.ts'

/** Wires the work of each task. */
export function createFlowWork(
  tools: Parameters<typeof createStartWork>[0] & Parameters<typeof createBulkWork>[0],
): Readonly<Record<FlowTask, FlowStep>> {
  const bulk = createBulkWork(tools)
  return { start: createStartWork(tools), retry: bulk, cancel: bulk, release: bulk }
}
