import { botStatuses } from '@parley/contracts/bots'
import { idSchema } from '@parley/contracts/records'
import { z } from 'zod'
import { useUrlState } from '../../lib/url-state.ts'
import { BotList } from './bot-list.tsx'
import { BotView } from './bot-view.tsx'

const shape = {
  q: z.string().max(100).optional(),
  status: z.enum(botStatuses).optional(),
  /** The bot whose builder is open. */
  bot: idSchema.optional(),
  /** The dialog that creates one. */
  new: z.literal('1').optional(),
}

/** Specification section 2, Bots. */
export function BotsPage() {
  const [state, change] = useUrlState(shape)
  return state.bot ? <BotView key={state.bot} id={state.bot} /> : <BotList state={state} onChange={change} />
}
