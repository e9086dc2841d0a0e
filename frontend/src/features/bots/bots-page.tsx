import RobotOutlined from '@ant-design/icons/RobotOutlined'
import { idSchema } from '@parley/contracts/core/records'
import { flowListShape } from '../../flow-builder/flow-list.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { Examples } from '../../ui/examples.tsx'
import { BotList } from './bot-list.tsx'
import { BotView } from './bot-view.tsx'

/** `bot` is the bot whose builder is open. */
const shape = { ...flowListShape, bot: idSchema.optional() }

/** The list of bots, with the editor where the address asks for it. */
export function BotsPage() {
  const [url, change] = useUrlState(shape)
  return (
    <Examples of="bots" what="bots" icon={<RobotOutlined />}>
      {url.bot ? <BotView key={url.bot} id={url.bot} /> : <BotList url={url} change={change} />}
    </Examples>
  )
}
