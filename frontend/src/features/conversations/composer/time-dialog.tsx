import { momentOf, type WallTime, wallTimeOf } from '@parley/contracts/core/zoned-time'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { zonesOf } from '@parley/phone/contact-zones'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { laterChoices } from '../details/snooze-times.ts'
import { contactOptions } from './contact-variables.ts'
import styles from './template-dialog.module.css'

interface Props {
  title: string
  lead: string
  submitLabel: string
  /** Latest time from now; a year where absent. */
  maxDays?: number
  /** Offers usual times above the fields. */
  presets?: boolean
  /** The customer whose clock is told beside one's own. */
  contact?: Conversation['contact']
  onChoose: (at: Date) => void
  onClose: () => void
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Asks for a moment to come, in the zone of the person's profile. */
export function TimeDialog({ title, lead, submitLabel, maxDays = 365, presets, contact, onChoose, onClose }: Props) {
  const { now, timeZone } = useClock(0)
  const [wall, setWall] = useState(() => nextHour(now, timeZone))
  const [tried, setTried] = useState(false)
  const id = useId()
  const at = momentOf(wall, timeZone)
  const problem = problemOf(at, now, maxDays)
  const submit = () => {
    setTried(true)
    if (problem || !at) return
    onChoose(at)
    onClose()
  }
  return (
    <FormDialog
      open
      title={title}
      lead={lead}
      submitLabel={submitLabel}
      width={420}
      onSubmit={submit}
      onClose={onClose}
    >
      {presets && (
        <fieldset className={styles['presets']} aria-label="Usual times">
          {laterChoices(now, timeZone).map(({ label, at: usual }) => (
            <Button key={label} size="small" onClick={() => setWall(wallTimeOf(usual, timeZone))}>
              {label}
            </Button>
          ))}
        </fieldset>
      )}
      <div className={styles['field']}>
        <label htmlFor={`${id}-date`}>Date</label>
        <Input
          id={`${id}-date`}
          type="date"
          value={wall.date}
          min={wallTimeOf(now, timeZone).date}
          onChange={({ target }) => setWall({ ...wall, date: target.value })}
        />
      </div>
      <div className={styles['field']}>
        <label htmlFor={`${id}-time`}>Time</label>
        <Input
          id={`${id}-time`}
          type="time"
          value={wall.time}
          status={tried && problem ? 'error' : ''}
          aria-invalid={(tried && problem !== undefined) || undefined}
          onChange={({ target }) => setWall({ ...wall, time: target.value })}
        />
      </div>
      {tried && problem && (
        <p className={styles['error']} role="alert">
          {problem}
        </p>
      )}
      <p>Time zone: {timeZone}</p>
      {contact && at && <LocalTime contact={contact} at={at} timeZone={timeZone} />}
    </FormDialog>
  )
}

/** The next full hour that is at least half an hour away: something to change, or to take as it is. */
function nextHour(now: Date, timeZone: string): WallTime {
  const { date, time } = wallTimeOf(new Date(now.getTime() + 1.5 * hourMs), timeZone)
  return { date, time: `${time.slice(0, 2)}:00` }
}

function problemOf(at: Date | undefined, now: Date, maxDays: number): string | undefined {
  if (!at) return 'Enter a date and a time.'
  if (at.getTime() <= now.getTime()) return 'Choose a time in the future.'
  if (at.getTime() > now.getTime() + maxDays * dayMs) return `Choose a time within ${maxDays} days.`
  return undefined
}

/** The same moment by the customer's clock: by the zone that their field `timezone` names, else by their phone number's. */
function LocalTime({ contact, at, timeZone }: { contact: Conversation['contact']; at: Date; timeZone: string }) {
  const { data } = useQuery(contactOptions(contact.id))
  if (!data) return null
  const attributes = Object.entries(data.attributes).map(([k, v]) => ({ k, v }))
  const zones = zonesOf({ attributes, phone: data.phone, waUserId: data.waUserId })
  const times = new Set(zones.map((zone) => clockOf(at, zone)))
  if (times.size === 0 || (times.size === 1 && times.has(clockOf(at, timeZone)))) return null
  const shown = [...times].slice(0, maxTimes).join(', or ')
  return (
    <p>
      For <bdi>{contact.name}</bdi>: {shown}
      {times.size > maxTimes && ', or another: the country has several zones'}.
    </p>
  )
}

/** Countries of many zones are not listed whole. */
const maxTimes = 3

const clockOf = (at: Date, timeZone: string): string =>
  dateTimeFormat(undefined, { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(at)
