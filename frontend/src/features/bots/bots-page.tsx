import { idSchema } from '@parley/contracts/records'
import { flowListShape } from '../../flow-builder/flow-list.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { BotList } from './bot-list.tsx'
import { BotView } from './bot-view.tsx'

/** `bot` is the bot whose builder is open. */
const shape = { ...flowListShape, bot: idSchema.optional() }

/** The list of bots, with the editor where the address asks for it. */
export function BotsPage() {
  const [url, change] = useUrlState(shape)
  return url.bot ? <BotView key={url.bot} id={url.bot} /> : <BotList url={url} change={change} />
}
