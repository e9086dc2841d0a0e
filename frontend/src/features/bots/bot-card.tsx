import CaretRightOutlined from '@ant-design/icons/CaretRightOutlined'
import CopyOutlined from '@ant-design/icons/CopyOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import PauseOutlined from '@ant-design/icons/PauseOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import type { BotSummary } from '@parley/contracts/automation/bot-summary'
import { Button } from 'antd'
import { useState } from 'react'
import { FlowStatus } from '../../flow-builder/flow-status.tsx'
import { PauseDialog, PublishDialog } from '../../flow-builder/lazy-dialogs.tsx'
import { useIsRefused } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { counted, formatCount, formatPercent } from '../../lib/format.ts'
import { Link, useNavigate } from '../../lib/navigation.ts'
import cards from '../../ui/cards.module.css'
import { useHistoryAction } from '../../ui/history-link.tsx'
import { Meter } from '../../ui/meter.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { toast } from '../../ui/toast.ts'
import { bots, sessions } from './api.ts'

/** One bot: how it does, and what can be done with it. */
export function BotCard({ bot }: { bot: BotSummary }) {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'publish' | 'pause'>()
  const setStatus = bots.useSetStatus(bot)
  const remove = bots.useRemove(bot)
  const duplicate = sessions.useDuplicate(bot.id)
  const mayNotPublish = useIsRefused('bots:publish')
  const mayNotWrite = useIsRefused('bots:write')
  const historyOf = useHistoryAction()
  const isActive = bot.status === 'active'
  const address = `?bot=${bot.id}`

  const copy = () =>
    duplicate.mutate(`${bot.name.slice(0, 73)} (copy)`, {
      onSuccess: (created) => toast.success(`${created.name} created.`),
      onError: (error) => toast.error(explain(error, `${bot.name} could not be duplicated.`)),
    })
  const toggle = () => {
    if (setStatus.isPending) return
    if (!isActive && bot.publishedVersion === undefined) setDialog('publish')
    else if (isActive && bot.running > 0) setDialog('pause')
    else setStatus.mutate(isActive ? 'paused' : 'active')
  }

  return (
    <li className={cards['card']}>
      <div className={cards['head']}>
        <div className={cards['titles']}>
          <h2 className={cards['title']} dir="auto" title={bot.name}>
            <Link to={address}>{bot.name}</Link>
          </h2>
          <p className={cards['sub']}>{stateOf(bot)}</p>
        </div>
        <FlowStatus status={bot.status} />
        <RowMenu
          label={`Actions for ${bot.name}`}
          actions={[
            { key: 'edit', label: 'Edit flow', icon: <EditOutlined />, onSelect: () => void navigate(address) },
            {
              key: 'sessions',
              label: 'Sessions',
              icon: <HistoryOutlined />,
              onSelect: () => void navigate(`${address}&panel=sessions`),
            },
            ...historyOf(bot.id),
            ...(mayNotWrite
              ? []
              : [
                  { key: 'duplicate', label: 'Duplicate', icon: <CopyOutlined />, onSelect: copy },
                  {
                    key: 'delete',
                    label: 'Delete',
                    icon: <DeleteOutlined />,
                    danger: true,
                    onSelect: () => remove.mutate(),
                  },
                ]),
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
        tone={isActive ? 'normal' : 'quiet'}
      />
      <div className={cards['foot']}>
        <Button
          icon={isActive ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          aria-label={`${isActive ? 'Pause' : 'Start'} ${bot.name}`}
          disabled={mayNotPublish}
          onClick={toggle}
        >
          {isActive ? 'Pause' : 'Start'}
        </Button>
        <Button
          icon={<SettingOutlined aria-hidden />}
          aria-label={`Settings of ${bot.name}`}
          onClick={() => void navigate(`${address}&panel=settings`)}
        >
          Settings
        </Button>
      </div>
      <PublishDialog flow={bot} runs={sessions} open={dialog === 'publish'} onClose={() => setDialog(undefined)} />
      <PauseDialog
        flow={bot}
        runs={sessions}
        open={dialog === 'pause'}
        onPause={() => setStatus.mutate('paused')}
        onClose={() => setDialog(undefined)}
      />
    </li>
  )
}

/** Describes a bot's state: the version that runs, its sessions, and what a person has to look at. */
function stateOf({ publishedVersion, unpublishedChanges, running, attention }: BotSummary): string {
  if (publishedVersion === undefined) return 'Not published yet'
  return [
    `Version ${publishedVersion}${unpublishedChanges ? ' · draft differs' : ''}`,
    ...(running > 0 ? [`${counted(running, 'session')} now`] : []),
    ...(attention > 0 ? [`${formatCount(attention)} to look at`] : []),
  ].join(' · ')
}
