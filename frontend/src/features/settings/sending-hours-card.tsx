import { zodResolver } from '@hookform/resolvers/zod'
import { type SendingHours, sendingHoursApi } from '@parley/contracts/campaigns/sending-hours'
import { timeZonesAt } from '@parley/contracts/core/time-zones'
import { useQuery } from '@tanstack/react-query'
import { Input, Select } from 'antd'
import { useMemo } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { sendingHoursOptions } from '../../lib/choices/sending-hours.ts'
import { sendingHoursKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { Field } from '../../ui/field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { type SendingHoursForm, sendingHoursSchema } from './forms.ts'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const zonesAt = (now: Date) =>
  timeZonesAt(now).map(({ value, label, offset }) => ({ value, label: `${label} (${offset})` }))

/** Between which hours marketing campaigns are sent. */
export function SendingHoursCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(sendingHoursOptions())
  return (
    <SettingsCard
      title="Sending Hours"
      lead="Marketing is sent between these hours in each recipient’s time zone. It comes from their “timezone” attribute or, without one, from the country of their number. Campaigns wait outside these hours and resume automatically. Replies to customers, other templates and login codes are sent at any time."
    >
      <WhenRead query={query} name="The sending hours" height="180px">
        {(data) => <SendingHoursFields hours={data} onDirty={onDirty} />}
      </WhenRead>
    </SettingsCard>
  )
}

function SendingHoursFields({ hours, onDirty }: { hours: SendingHours; onDirty: ReportDirty }) {
  const zones = useMemo(() => zonesAt(new Date()), [])
  const { limited, zone, opens, closes, version } = hours
  const { control, handleSubmit, formState, watch } = useForm<SendingHoursForm>({
    resolver: zodResolver(sendingHoursSchema),
    values: { limited, zone, opens, closes },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { save, isPending } = useSaveSetting<SendingHours>({
    queryKey: sendingHoursKeys.all,
    update: (body, intent) => call(sendingHoursApi.update, { body, ...intent }),
    stale: (error) => staleRecord(error, sendingHoursApi.update),
    name: 'The sending hours',
    isPlural: true,
  })
  useReportDirty('sending hours', formState.isDirty, onDirty)
  const submit = handleSubmit((values) => save({ ...values, version }))
  return (
    <SettingForm onSubmit={submit} submitLabel="Save Sending Hours" isPending={isPending}>
      <SwitchField
        control={control}
        name="limited"
        label="Keep to sending hours"
        hint="You can make an exception for each campaign."
      />
      {watch('limited') && (
        <>
          <div className={styles['pair']}>
            <Field control={control} name="opens" label="From">
              {(field) => <Input {...field} type="time" />}
            </Field>
            <Field control={control} name="closes" label="Until">
              {(field) => <Input {...field} type="time" />}
            </Field>
          </div>
          <Field
            control={control}
            name="zone"
            label="Time zone of the workspace"
            hint="For recipients whose time zone is not known, and for the times at which campaigns start."
          >
            {(field) => <Select {...field} showSearch={{ optionFilterProp: 'label' }} options={zones} />}
          </Field>
        </>
      )}
    </SettingForm>
  )
}
