import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import type { Conversation } from '@parley/contracts/conversations'
import { Dropdown } from 'antd'
import { useState } from 'react'
import { useClock } from '../../lib/use-clock.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useChangeConversation } from './changes.ts'
import { snoozeChoices } from './snooze-times.ts'
import { TimeDialog } from './time-dialog.tsx'

/** Puts the conversation aside until a time, or until the customer writes. */
export function SnoozeMenu({ conversation: { id, status }, readAt }: { conversation: Conversation; readAt: number }) {
  const { mutate } = useChangeConversation(id)
  const { now, timeZone } = useClock(readAt)
  const [choosing, setChoosing] = useState(false)
  const choices = snoozeChoices(now, timeZone)
  const snooze = (until: Date) => mutate({ status: 'snoozed', snoozedUntil: until.toISOString() })
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items: [
            ...choices.map(({ label }) => ({ key: label, label })),
            { type: 'divider' },
            { key: 'choose', label: 'Choose a time' },
            ...(status === 'snoozed' ? [{ key: 'wake', label: 'End the snooze' }] : []),
          ],
          onClick: ({ key }) => {
            const chosen = choices.find(({ label }) => label === key)
            if (chosen) snooze(chosen.until)
            else if (key === 'wake') mutate({ status: 'open' })
            else setChoosing(true)
          },
        }}
      >
        <IconButton label="Snooze conversation" aria-haspopup="menu" title="Snooze">
          <ClockCircleOutlined aria-hidden />
        </IconButton>
      </Dropdown>
      {choosing && (
        <TimeDialog
          title="Snooze until"
          submitLabel="Snooze"
          lead="It comes back then, or as soon as the customer writes."
          onChoose={snooze}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}
