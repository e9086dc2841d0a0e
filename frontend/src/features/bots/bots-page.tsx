import { idSchema } from '@parley/contracts/core/records'
import { z } from 'zod'
import { flowListShape } from '../../flow-builder/flow-list.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { BotList } from './bot-list.tsx'
import { BotView } from './bot-view.tsx'

/**
 * `bot`: whose builder is open, with its `panel` and the `session` that is drawn on the canvas. `show`: what lies over the list.
 */
const shape = {
  ...flowListShape,
  bot: idSchema.optional(),
  panel: z.enum(['sessions', 'settings']).optional(),
  session: idSchema.optional(),
  show: z.enum(['attention', 'hours']).optional(),
}
export type BotsUrl = z.infer<z.ZodObject<typeof shape>>
export type ChangeBotsUrl = (patch: Partial<BotsUrl>, how?: { replace?: boolean }) => void

/** The list of bots, with the editor where the address asks for it. */
export function BotsPage() {
  const [url, change] = useUrlState(shape)
  return url.bot ? (
    <BotView key={url.bot} id={url.bot} url={url} change={change} />
  ) : (
    <BotList url={url} change={change} />
  )
}
