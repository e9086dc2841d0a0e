import { momentOf, type WallTime, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { useClock } from '../../../lib/use-clock.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import styles from './template-dialog.module.css'

interface Props {
  title: string
  lead: string
  submitLabel: string
  /** Latest time from now; a year where absent. */
  maxDays?: number
  onChoose: (at: Date) => void
  onClose: () => void
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Asks for a moment to come, in the zone of the person's profile. */
export function TimeDialog({ title, lead, submitLabel, maxDays = 365, onChoose, onClose }: Props) {
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
