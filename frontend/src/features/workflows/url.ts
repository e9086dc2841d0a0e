import { idSchema } from '@parley/contracts/core/records'
import { z } from 'zod'
import { flowListShape } from '../../flow-builder/flow-list.tsx'
import { comparedUrlShape } from '../../flow-builder/use-compared.ts'

/**
 * `workflow`: whose builder is open, with its `panel` and the `run` that is drawn on the canvas. `show`: what lies over the list.
 */
export const workflowsUrlShape = {
  ...flowListShape,
  workflow: idSchema.optional(),
  panel: z.enum(['runs', 'figures', 'versions', 'tests', 'replay', 'dry-run', 'settings']).optional(),
  run: idSchema.optional(),
  ...comparedUrlShape,
  show: z.enum(['attention']).optional(),
}
export type WorkflowsUrl = z.infer<z.ZodObject<typeof workflowsUrlShape>>
export type ChangeWorkflowsUrl = (patch: Partial<WorkflowsUrl>, how?: { replace?: boolean }) => void
