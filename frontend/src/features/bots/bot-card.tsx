import CaretRightOutlined from '@ant-design/icons/CaretRightOutlined'
import CopyOutlined from '@ant-design/icons/CopyOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import PauseOutlined from '@ant-design/icons/PauseOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import type { Bot } from '@parley/contracts/automation/bots'
import { Button } from 'antd'
import { FlowStatus } from '../../flow-builder/flow-status.tsx'
import { explain } from '../../lib/explain.ts'
import { formatCount, formatPercent } from '../../lib/format.ts'
import { Link, useNavigate } from '../../lib/navigation.ts'
import cards from '../../ui/cards.module.css'
import { useConfirmation } from '../../ui/example.tsx'
import { Meter } from '../../ui/meter.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { toast } from '../../ui/toast.ts'
import { bots } from './api.ts'

/** One bot: how it does, and what can be done with it. */
export function BotCard({ bot }: { bot: Bot }) {
  const navigate = useNavigate()
  const tell = useConfirmation()
  const setStatus = bots.useSetStatus(bot)
  const remove = bots.useRemove(bot)
  const create = bots.useCreate()
  const running = bot.status === 'active'
  const address = `?bot=${bot.id}`

  const duplicate = () =>
    create.mutate(
      { name: `${bot.name.slice(0, 73)} (copy)`, draft: bot.draft },
      {
        onSuccess: ({ name }) => tell(`${name} created.`),
        onError: (error) => toast.error(explain(error, `${bot.name} could not be duplicated.`)),
      },
    )

  return (
    <li className={cards['card']}>
      <div className={cards['head']}>
        <div className={cards['titles']}>
          <h2 className={cards['title']} dir="auto" title={bot.name}>
            <Link to={address}>{bot.name}</Link>
          </h2>
        </div>
        <FlowStatus status={bot.status} />
        <RowMenu
          label={`Actions for ${bot.name}`}
          actions={[
            { key: 'edit', label: 'Edit flow', icon: <EditOutlined />, onSelect: () => void navigate(address) },
            { key: 'duplicate', label: 'Duplicate', icon: <CopyOutlined />, onSelect: duplicate },
            {
              key: 'delete',
              label: 'Delete',
              icon: <DeleteOutlined />,
              danger: true,
              onSelect: () => remove.mutate(),
            },
          ]}
        />
      </div>
      <dl className={cards['facts']}>
        <div>
          <dt>Conversations</dt>
          <dd>{formatCount(bot.conversations)}</dd>
        </div>
        <div>
          <dt>Automation rate</dt>
          <dd>{formatPercent(bot.automationRate)}</dd>
        </div>
      </dl>
      <Meter
        label={`Automation rate of ${bot.name}`}
        value={bot.automationRate}
        max={100}
        text={`${formatCount(bot.resolved)} of ${formatCount(bot.conversations)} conversations resolved without a person`}
        tone={running ? 'normal' : 'quiet'}
      />
      <div className={cards['foot']}>
        <Button
          icon={running ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          aria-label={`${running ? 'Pause' : 'Start'} ${bot.name}`}
          onClick={() => {
            if (!setStatus.isPending) setStatus.mutate(running ? 'paused' : 'active')
          }}
        >
          {running ? 'Pause' : 'Start'}
        </Button>
        <Button
          icon={<SettingOutlined aria-hidden />}
          aria-label={`Settings of ${bot.name}`}
          onClick={() => void navigate(address)}
        >
          Settings
        </Button>
      </div>
    </li>
  )
}
