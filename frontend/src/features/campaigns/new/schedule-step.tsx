import { momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { writtenPhone } from '@parley/phone'
import { useQuery } from '@tanstack/react-query'
import { Input, Radio, Select } from 'antd'
import { useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { sendingNumberChoices } from '../../../lib/choices/numbers.ts'
import { isOfAccount, templateChoices } from '../../../lib/choices/templates.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { ActionLink } from '../../../ui/action.tsx'
import { Field } from '../../../ui/field.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { hoursLabels, startTime } from '../labels.ts'
import type { Draft } from './draft.ts'
import styles from './new-broadcast.module.css'
import { Reach } from './reach.tsx'
import { useKeptHours } from './use-kept-hours.ts'

/** `India Standard Time (UTC+5:30)`. */
function zoneName(timeZone: string, at: Date): string {
  const part = (timeZoneName: 'long' | 'shortOffset') =>
    new Intl.DateTimeFormat('en', { timeZone, timeZoneName })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${part('long')} (${part('shortOffset').replace('GMT', 'UTC')})`
}

/** Start in words, by the workspace's clock, and by the person's own where that is another. */
function StartWords({ timeZone }: { timeZone: string }) {
  const [when, date, time] = useFormContext<Draft>().watch(['when', 'date', 'time'])
  const { now, timeZone: localZone } = useClock(0)
  const at = when === 'later' && date !== '' ? momentOf({ date, time }, timeZone) : undefined
  const isElsewhere = at && wallTimeOf(at, localZone).time !== wallTimeOf(at, timeZone).time
  return (
    <div className={styles['lead']}>
      <p>Time zone of the workspace: {zoneName(timeZone, at ?? now)}</p>
      {at && <p>It starts on {startTime(at.toISOString(), timeZone)}.</p>}
      {isElsewhere && <p>For you that is {startTime(at.toISOString(), localZone)}.</p>}
    </div>
  )
}

/** Numbers that can send a template, those of its account; and its category. */
function useNumbersOf(templateId: string) {
  const { data: numbers } = useQuery(sendingNumberChoices())
  const { data: templates } = useQuery(templateChoices())
  const template = templates?.find(({ id }) => id === templateId)
  const able = template ? numbers?.filter((number) => isOfAccount(template, number.businessAccountId)) : numbers
  return { numbers: able, category: template?.category }
}

/** Step 3: now or at a time, and the number that it comes from. */
export function ScheduleStep({ timeZone }: { timeZone: string }) {
  const { control, watch, setValue } = useFormContext<Draft>()
  const { now } = useClock(0)
  const { numbers, category } = useNumbersOf(watch('templateId'))
  const numberId = watch('numberId')
  // The number that was chosen cannot send the template that was chosen after it.
  const instead = numbers && numberId !== '' && !numbers.some(({ id }) => id === numberId) ? numbers[0]?.id : undefined
  useEffect(() => {
    if (instead !== undefined) setValue('numberId', instead)
  }, [instead, setValue])
  const hours = useKeptHours(watch('templateId'))
  const later = watch('when') === 'later'
  return (
    <div className={styles['columns']}>
      <div className={styles['fields']}>
        <fieldset className={styles['group']}>
          <legend>Start</legend>
          <Radio.Group
            name="when"
            value={watch('when')}
            options={[
              { value: 'now', label: 'Now' },
              { value: 'later', label: 'At a date and time' },
            ]}
            onChange={({ target }) => setValue('when', target.value, { shouldDirty: true })}
          />
        </fieldset>
        {later && (
          <>
            <div className={styles['pair']}>
              <Field control={control} name="date" label="Date">
                {(field) => <Input {...field} type="date" min={wallTimeOf(now, timeZone).date} />}
              </Field>
              <Field control={control} name="time" label="Time">
                {(field) => <Input {...field} type="time" />}
              </Field>
            </div>
            <StartWords timeZone={timeZone} />
          </>
        )}
        {hours && (
          <SwitchField
            control={control}
            name="anyHour"
            label="Send outside of sending hours too"
            hint={`Otherwise it waits and resumes automatically: ${hoursLabels(hours)}.`}
          />
        )}
        {category === 'marketing' && (
          <SwitchField
            control={control}
            name="retryHeldBack"
            label="After 24 hours, retry contacts that WhatsApp held back"
            hint="WhatsApp holds marketing back from people who already get a lot of it. A day later, a separate campaign sends to them again automatically."
          />
        )}
        {numbers?.length === 0 ? (
          <div className={styles['group']}>
            <p>No connected number can send it.</p>
            <ActionLink to="/whatsapp-numbers">Connect a number</ActionLink>
          </div>
        ) : (
          <Field control={control} name="numberId" label="Send from">
            {({ value, ...field }) => (
              <Select
                {...field}
                {...(numbers && value !== '' && { value })}
                loading={!numbers}
                options={
                  numbers?.map(({ id, displayName, phoneNumber }) => ({
                    value: id,
                    label: `${displayName} · ${writtenPhone(phoneNumber)}`,
                  })) ?? []
                }
              />
            )}
          </Field>
        )}
      </div>
      <Reach />
    </div>
  )
}
