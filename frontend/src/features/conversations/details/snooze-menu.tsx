import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import MoreOutlined from '@ant-design/icons/MoreOutlined'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { Dropdown, type MenuProps } from 'antd'
import { useState } from 'react'
import { useClock } from '../../../lib/use-clock.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { RowAction } from '../../../ui/row-dropdown.tsx'
import { useChangeConversation } from '../changes.ts'
import { TimeDialog } from '../composer/time-dialog.tsx'
import { snoozeChoices } from './snooze-times.ts'

interface Props {
  conversation: Conversation
  readAt: number
  /** Further actions of the menu, where the head has no room for buttons of its own. */
  others?: readonly RowAction[] | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  onSnooze: (until: Date) => void
}

/** Puts the conversation aside until a time, or until the customer writes. */
export function SnoozeMenu({ conversation: { id, status }, readAt, others, open, onOpenChange, onSnooze }: Props) {
  const { mutate } = useChangeConversation(id)
  const { now, timeZone } = useClock(readAt)
  const [choosing, setChoosing] = useState(false)
  const choices = snoozeChoices(now, timeZone)
  const items: MenuProps['items'] = [
    ...choices.map(({ label }) => ({ key: label, label })),
    { type: 'divider' },
    { key: 'choose', label: 'Choose a time' },
    ...(status === 'snoozed' ? [{ key: 'wake', label: 'End the snooze' }] : []),
  ]
  return (
    <>
      <Dropdown
        trigger={['click']}
        open={open}
        onOpenChange={onOpenChange}
        placement="bottomRight"
        menu={{
          items: others
            ? [
                ...others.map(({ key, label, icon }) => ({ key, label, icon })),
                { type: 'divider' },
                { key: 'snooze', type: 'group', label: 'Snooze conversation', children: items },
              ]
            : items,
          onClick: ({ key }) => {
            const chosen = choices.find(({ label }) => label === key)
            const other = others?.find((action) => action.key === key)
            if (chosen) onSnooze(chosen.until)
            else if (other) other.onSelect()
            else if (key === 'wake') mutate({ status: 'open' })
            else setChoosing(true)
          },
        }}
      >
        {others ? (
          <IconButton label="Conversation actions" aria-haspopup="menu">
            <MoreOutlined aria-hidden />
          </IconButton>
        ) : (
          <IconButton label="Snooze conversation" aria-haspopup="menu" title="Snooze">
            <ClockCircleOutlined aria-hidden />
          </IconButton>
        )}
      </Dropdown>
      {choosing && (
        <TimeDialog
          title="Snooze until"
          submitLabel="Snooze"
          lead="It comes back then, or as soon as the customer writes."
          onChoose={onSnooze}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}
