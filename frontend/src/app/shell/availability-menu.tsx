import CheckOutlined from '@ant-design/icons/CheckOutlined'
import { availabilityApi } from '@parley/contracts/inbox/availability'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useAbsence } from '../../lib/choices/availability.ts'
import { dateTimeFormat } from '../../lib/date-formats.ts'
import { explain } from '../../lib/explain.ts'
import { availabilityKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { useUser } from '../../lib/user.ts'
import { Popover } from '../../ui/popover.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './availability-menu.module.css'
import sidebarStyles from './sidebar.module.css'

const choices = [
  { label: 'Available' },
  { label: 'Away for 30 minutes', minutes: 30 },
  { label: 'Away for an hour', minutes: 60 },
  { label: 'Away until I am back', minutes: Infinity },
] as const
type Choice = (typeof choices)[number]

/** Says whether one is there, for colleagues and for automatic assignment. */
export function AvailabilityMenu({ collapsed }: { collapsed: boolean }) {
  const user = useUser().data
  const absence = useAbsence()(user?.id)
  const [open, setOpen] = useState(false)
  const client = useQueryClient()
  const change = useChange({
    run: (choice: Choice, intent) => {
      const minutes = 'minutes' in choice ? choice.minutes : undefined
      const until = minutes && Number.isFinite(minutes) ? new Date(Date.now() + minutes * 60_000).toISOString() : null
      return call(availabilityApi.update, { body: { state: minutes ? 'away' : 'available', until }, ...intent })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: availabilityKeys.all }),
    onError: (error) => toast.error(explain(error, 'Your availability could not be changed. Try again.')),
  })
  const state = absence ? 'Away' : 'Available'
  const until = absence?.until
    ? ` until ${dateTimeFormat(undefined, { timeStyle: 'short', timeZone: user?.timezone }).format(new Date(absence.until))}`
    : ''
  return (
    <Popover
      label="Availability"
      open={open}
      onOpenChange={setOpen}
      align="start"
      button={
        <button type="button" className={sidebarStyles['item']} aria-label={`${state}${until}: change availability`}>
          <span className={styles['dot']} data-away={absence !== undefined} aria-hidden />
          {!collapsed && (
            <span className={styles['state']}>
              {state}
              {until}
            </span>
          )}
        </button>
      }
    >
      <p className={styles['lead']}>While you are away you are given no new conversations. Yours stay with you.</p>
      <ul className={styles['list']}>
        {choices.map((choice) => (
          <li key={choice.label}>
            <button
              type="button"
              className={styles['choice']}
              disabled={change.isPending}
              onClick={() => {
                setOpen(false)
                change.mutate(choice)
              }}
            >
              {choice.label}
              {choice.label === 'Available' && !absence && <CheckOutlined aria-label="now" />}
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  )
}
