import { idSchema } from '@parley/contracts/core/records'
import { z } from 'zod'
import { flowListShape } from '../../flow-builder/flow-list.tsx'
import { comparedUrlShape } from '../../flow-builder/use-compared.ts'

/**
 * `bot`: whose builder is open, with its `panel` and the `session` that is drawn on the canvas. `show`: what lies over the list.
 */
export const botsUrlShape = {
  ...flowListShape,
  bot: idSchema.optional(),
  panel: z.enum(['sessions', 'figures', 'versions', 'tests', 'replay', 'settings']).optional(),
  session: idSchema.optional(),
  ...comparedUrlShape,
  show: z.enum(['attention', 'hours']).optional(),
}
export type BotsUrl = z.infer<z.ZodObject<typeof botsUrlShape>>
export type ChangeBotsUrl = (patch: Partial<BotsUrl>, how?: { replace?: boolean }) => void
