import { zodResolver } from '@hookform/resolvers/zod'
import { type ResponseTarget, responseTargetApi } from '@parley/contracts/inbox/response-target'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { InputNumber } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { responseTargetKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { Field } from '../../ui/field.tsx'
import { type ResponseTargetForm, responseTargetSchema } from './forms.ts'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const responseTargetOptions = () =>
  queryOptions({
    queryKey: responseTargetKeys.all,
    queryFn: ({ signal }) => call(responseTargetApi.read, { signal }),
  })

/** Within how many minutes of opening hours customers are to be answered. */
export function ResponseTargetCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(responseTargetOptions())
  return (
    <SettingsCard
      title="Response Target"
      lead="How soon a person answers, counted within the opening hours. Conversations show the time that is left, and the team is told once it has passed. A bot’s answer does not count."
    >
      <WhenRead query={query} name="The response target">
        {(data) => <ResponseTargetFields target={data} onDirty={onDirty} />}
      </WhenRead>
    </SettingsCard>
  )
}

const fields = [
  { name: 'firstMinutes', label: 'First answer within', hint: 'After a customer opens a conversation.' },
  { name: 'nextMinutes', label: 'Further answers within', hint: 'Each time the customer writes again.' },
] as const

function ResponseTargetFields({ target, onDirty }: { target: ResponseTarget; onDirty: ReportDirty }) {
  const { firstMinutes, nextMinutes, version } = target
  const { control, handleSubmit, formState } = useForm<ResponseTargetForm>({
    resolver: zodResolver(responseTargetSchema),
    values: { firstMinutes, nextMinutes },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { save, isPending } = useSaveSetting<ResponseTarget>({
    queryKey: responseTargetKeys.all,
    update: (body, intent) => call(responseTargetApi.update, { body, ...intent }),
    stale: (error) => staleRecord(error, responseTargetApi.update),
    name: 'The response target',
  })
  useReportDirty('response target', formState.isDirty, onDirty)
  const submit = handleSubmit((values) => save({ ...values, version }))
  return (
    <SettingForm onSubmit={submit} submitLabel="Save Response Target" isPending={isPending}>
      <div className={styles['pair']}>
        {fields.map(({ name, label, hint }) => (
          <Field key={name} control={control} name={name} label={label} hint={hint} optional>
            {(field) => (
              <InputNumber {...field} className={styles['number'] ?? ''} inputMode="numeric" suffix="minutes" />
            )}
          </Field>
        ))}
      </div>
    </SettingForm>
  )
}
