import EditOutlined from '@ant-design/icons/EditOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import type { BotSummary } from '@parley/contracts/automation/bot-summary'
import { FlowCard } from '../../flow-builder/flow-card.tsx'
import { formatCount, formatPercent } from '../../lib/format.ts'
import { useNavigate } from '../../lib/navigation.ts'
import { Meter } from '../../ui/meter.tsx'
import { bots, sessions } from './api.ts'

/** One bot: how it does, and what can be done with it. */
export function BotCard({ bot }: { bot: BotSummary }) {
  const navigate = useNavigate()
  const address = `?bot=${bot.id}`
  return (
    <FlowCard
      flow={bot}
      flows={bots}
      runs={sessions}
      actions={[{ key: 'edit', label: 'Edit flow', icon: <EditOutlined />, onSelect: () => void navigate(address) }]}
      facts={[
        ['Conversations', formatCount(bot.conversations)],
        ['Automation rate', formatPercent(bot.automationRate)],
      ]}
      button={{
        label: 'Settings',
        name: `Settings of ${bot.name}`,
        icon: <SettingOutlined aria-hidden />,
        onClick: () => void navigate(`${address}&panel=settings`),
      }}
    >
      <Meter
        label={`Automation rate of ${bot.name}`}
        value={bot.automationRate}
        max={100}
        text={`${formatCount(bot.resolved)} of ${formatCount(bot.conversations)} conversations resolved without a person`}
        tone={bot.status === 'active' ? 'normal' : 'quiet'}
      />
    </FlowCard>
  )
}
