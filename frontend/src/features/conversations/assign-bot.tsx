import RobotOutlined from '@ant-design/icons/RobotOutlined'
import type { Conversation } from '@parley/contracts/conversations'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { offerUndo } from '../../lib/undo.ts'
import { botChoicesOptions } from './api.ts'
import styles from './assign-bot.module.css'
import { useChangeConversation } from './changes.ts'

const nobody = 'nobody'

/** Hands the conversation to one of the bots, or takes it from the one that has it. */
export function AssignBot({ conversation: { id, owner } }: { conversation: Conversation }) {
  const [open, setOpen] = useState(false)
  const bots = useQuery({ ...botChoicesOptions(), enabled: open })
  const { mutateAsync } = useChangeConversation()
  const assign = (key: string) => {
    const bot = bots.data?.items.find((item) => item.id === key)
    const next: Conversation['owner'] = bot ? { kind: 'bot', id: bot.id, name: bot.name } : { kind: 'nobody' }
    mutateAsync({ id, owner: next }).then(
      () =>
        offerUndo(bot ? `Assigned to ${bot.name}` : 'No bot answers here any more', async () => {
          await mutateAsync({ id, owner })
        }),
      // What went wrong has been said where it went wrong.
      () => {},
    )
  }
  const items = (bots.data?.items ?? []).map((bot) => ({
    key: bot.id,
    label: bot.status === 'paused' ? `${bot.name} (paused)` : bot.name,
    disabled: owner.kind === 'bot' && owner.id === bot.id,
  }))
  const waiting = {
    key: 'waiting',
    label: bots.isError ? 'The bots could not be loaded' : 'Loading...',
    disabled: true,
  }
  const none = { key: 'none', label: 'There is no bot yet', disabled: true }
  return (
    <>
      <Dropdown
        trigger={['click']}
        open={open}
        onOpenChange={setOpen}
        menu={{
          items: [
            ...(bots.data ? (items.length > 0 ? items : [none]) : [waiting]),
            ...(owner.kind === 'bot' ? [{ type: 'divider' as const }, { key: nobody, label: 'Remove the bot' }] : []),
          ],
          onClick: ({ key }) => assign(key),
        }}
      >
        <Button block icon={<RobotOutlined aria-hidden />} aria-haspopup="menu" aria-expanded={open}>
          Assign to Bot
        </Button>
      </Dropdown>
      {owner.kind !== 'nobody' && (
        <p className={styles['owner']}>
          {owner.kind === 'bot' ? 'Answered by' : 'With'} <b>{owner.name}</b>
        </p>
      )}
    </>
  )
}
