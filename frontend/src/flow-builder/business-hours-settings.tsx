import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { defaultTimeZone, timeZones } from '@parley/contracts/core/time-zones'
import { Button, Checkbox, Input, Select } from 'antd'
import { useId } from 'react'
import { type Control, useController } from 'react-hook-form'
import { z } from 'zod'
import styles from './inspector.module.css'
import { dayNames } from './labels.ts'
import type { NodeFormValues } from './node-form-values.ts'
import { groupSpans } from './summary.ts'

type FormControl = Control<NodeFormValues>

const week = [1, 2, 3, 4, 5, 6, 0] as const

/** Hours while they are edited: no day may be chosen yet, and a time may be empty. */
const draftSchema = z.object({
  use: z.enum(['workspace', 'own']).catch('own'),
  timeZone: z.string().catch(defaultTimeZone),
  spans: z.array(z.object({ day: z.number(), from: z.string(), to: z.string() })).catch([]),
  closedOn: z.array(z.string()).catch([]),
})

const isDate = (text: string): boolean => z.iso.date().safeParse(text).success

/** Opening times of the workspace, or of the node: days with the same hours stand together. */
export function BusinessHoursSettings({ control }: { control: FormControl }) {
  const id = useId()
  const { field } = useController({ control, name: 'settings.hours' })
  const { use, timeZone, spans, closedOn } = draftSchema.parse(field.value ?? {})
  const change = (patch: object) => field.onChange({ use: 'own', timeZone, spans, closedOn, ...patch })
  const known = groupSpans(spans)
  const groups: readonly Group[] = known.length > 0 ? known : [{ days: [], from: '09:00', to: '18:00' }]
  const setGroup = (index: number, group: Group | undefined) =>
    change({
      spans: groups
        .flatMap((one, otherIndex) => (otherIndex === index ? (group ?? []) : one))
        .flatMap(({ days, from, to }) => days.map((day) => ({ day, from, to }))),
    })
  return (
    <>
      <div className={styles['lead']}>
        <Select
          aria-label="Hours"
          value={use}
          options={[
            { value: 'own' as const, label: 'These hours' },
            { value: 'workspace' as const, label: 'Hours of the workspace' },
          ]}
          onChange={(next) => (next === 'workspace' ? field.onChange({ use: next }) : change({}))}
        />
      </div>
      {use === 'own' && (
        <>
          {groups.map((group, index) => (
            <Hours
              // biome-ignore lint/suspicious/noArrayIndexKey: hours have no identity but their place.
              key={index}
              group={group}
              number={groups.length > 1 ? index + 1 : undefined}
              onChange={(next) => setGroup(index, next)}
            />
          ))}
          <Button
            icon={<PlusOutlined aria-hidden />}
            disabled={spans.length > 40}
            onClick={() => change({ spans: [...spans, ...moreHours(groups)] })}
          >
            Add hours
          </Button>
          <div className={styles['lead']}>
            <label htmlFor={`${id}-zone`}>Time zone</label>
            <Select
              id={`${id}-zone`}
              value={timeZone}
              options={timeZones.map(({ value, label }) => ({ value, label }))}
              showSearch={{ optionFilterProp: 'label' }}
              onChange={(next: string) => change({ timeZone: next })}
            />
          </div>
          <div className={styles['lead']}>
            <label htmlFor={`${id}-closed`}>Closed on (optional)</label>
            <Select
              id={`${id}-closed`}
              mode="tags"
              open={false}
              suffixIcon={null}
              maxCount={100}
              tokenSeparators={[',', ' ']}
              placeholder="2026-12-25"
              value={closedOn}
              onChange={(dates: string[]) => change({ closedOn: dates.filter((date) => isDate(date)) })}
            />
          </div>
        </>
      )}
    </>
  )
}

interface Group {
  readonly days: readonly number[]
  readonly from: string
  readonly to: string
}

/** Adds two hours to the days of the first group, after the last hours end. */
function moreHours(groups: readonly Group[]) {
  const from = groups.at(-1)?.to ?? '18:00'
  const to = `${String((Number(from.slice(0, 2)) + 2) % 24).padStart(2, '0')}:${from.slice(3) || '00'}`
  return (groups[0]?.days ?? []).map((day) => ({ day, from, to }))
}

/** Days that have the same hours. */
function Hours({
  group: { days, from, to },
  number,
  onChange,
}: {
  group: Group
  /** Absent where there are no others. */
  number: number | undefined
  onChange: (group: Group | undefined) => void
}) {
  const suffix = number === undefined ? '' : ` ${number}`
  return (
    <fieldset className={styles['choices']}>
      <legend>{`Days${suffix}`}</legend>
      <div className={styles['days']}>
        {week.map((day) => (
          <Checkbox
            key={day}
            checked={days.includes(day)}
            onChange={({ target }) =>
              onChange({ days: week.filter((one) => (one === day ? target.checked : days.includes(one))), from, to })
            }
          >
            {dayNames[day]}
          </Checkbox>
        ))}
      </div>
      <div className={styles['pair']}>
        {(['from', 'to'] as const).map((name) => (
          <Input
            key={name}
            type="time"
            aria-label={`${name === 'from' ? 'From' : 'To'}${suffix}`}
            value={name === 'from' ? from : to}
            onChange={({ target }) => onChange({ days, from, to, [name]: target.value })}
          />
        ))}
      </div>
      {number !== undefined && (
        <Button icon={<DeleteOutlined aria-hidden />} onClick={() => onChange(undefined)}>
          Remove hours {number}
        </Button>
      )}
    </fieldset>
  )
}
