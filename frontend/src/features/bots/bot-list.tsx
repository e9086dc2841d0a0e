import RobotOutlined from '@ant-design/icons/RobotOutlined'
import { useQuery } from '@tanstack/react-query'
import { FlowList, type FlowListProps, flowQueryOf } from '../../flow-builder/flow-list.tsx'
import { bots } from './api.ts'
import { BotCard } from './bot-card.tsx'
import { CreateBotDialog } from './create-bot-dialog.tsx'

const words = {
  what: 'bot',
  create: 'Create Bot',
  description: 'Bots answer routine questions and hand over to your team when a person is needed.',
  purpose:
    'A bot answers what customers ask most, at any hour, and hands over to your team when it cannot help. Start from the sample flow and make it your own.',
}

/** The bots as cards, with the dialog that creates one. */
export function BotList(props: FlowListProps) {
  const list = useQuery(bots.listOptions(flowQueryOf(props.url)))
  return (
    <>
      <FlowList
        {...props}
        list={list}
        words={words}
        icon={<RobotOutlined />}
        cardHeight="146.5px"
        card={(bot) => <BotCard key={bot.id} bot={bot} />}
      />
      <CreateBotDialog open={props.url.new === '1'} onClose={() => props.change({ new: undefined })} />
    </>
  )
}
