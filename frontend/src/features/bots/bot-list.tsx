import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import RobotOutlined from '@ant-design/icons/RobotOutlined'
import { botsApi } from '@parley/contracts/automation/bots'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { AttentionButton } from '../../flow-builder/attention-button.tsx'
import { FlowList, flowQueryOf } from '../../flow-builder/flow-list.tsx'
import { AttentionDrawer } from '../../flow-builder/lazy-dialogs.tsx'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { bots, sessions } from './api.ts'
import { BotCard } from './bot-card.tsx'
import { HoursDialog } from './lazy-dialogs.tsx'
import type { BotsUrl, ChangeBotsUrl } from './url.ts'

const sample = { flow: starterFlows.sample, label: 'Sample flow: keyword match, message, business-hours check' }
const words = {
  what: 'bot' as const,
  create: 'Create Bot',
  description: 'Bots answer routine questions and hand over to your team when a person is needed.',
  purpose:
    'A bot answers what customers ask most, at any hour, and hands over to your team when it cannot help. Start from the sample flow and make it your own.',
}

/** The bots as cards, with the dialog that creates one. */
export function BotList({ url, change }: { url: BotsUrl; change: ChangeBotsUrl }) {
  const list = useQuery(bots.listOptions(flowQueryOf(url)))
  const attention = useQuery(sessions.attentionOptions())
  return (
    <>
      <FlowList
        url={url}
        change={change}
        list={list}
        words={words}
        creation={{ nameSchema: botsApi.create.body.shape.name, sample, create: bots.useCreate() }}
        icon={<RobotOutlined />}
        cardHeight="164.4px"
        card={(bot) => <BotCard key={bot.id} bot={bot} />}
        commands={
          <>
            <Button icon={<ClockCircleOutlined aria-hidden />} onClick={() => change({ show: 'hours' })}>
              Hours and Hand-over
            </Button>
            <AttentionButton list={attention} onOpen={() => change({ show: 'attention' })} />
          </>
        }
      />
      <AttentionDrawer runs={sessions} open={url.show === 'attention'} onClose={() => change({ show: undefined })} />
      <HoursDialog open={url.show === 'hours'} onClose={() => change({ show: undefined })} />
    </>
  )
}
