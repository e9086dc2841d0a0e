import {
  type KeptMonths,
  type MessageRetention,
  messageRetentionApi,
  retentionMonths,
  retentionWaitDays,
} from '@parley/contracts/inbox/message-retention'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { useMay } from '../../lib/choices/members.ts'
import { formatCount, formatDay } from '../../lib/format.ts'
import { messageRetentionKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { Field } from '../../ui/field.tsx'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

/** Value of the choice that no number stands for. */
const forEver = 0
const monthsOf = (kept: number): KeptMonths => retentionMonths.find((months) => months === kept) ?? null
const choices = [
  { value: forEver, label: 'For ever' },
  ...retentionMonths.map((months) => ({ value: months, label: `${months} months` })),
]
const wordsOf = (months: KeptMonths): string => (months === null ? 'for ever' : `for ${months} months`)

const retentionOptions = () =>
  queryOptions({
    queryKey: messageRetentionKeys.all,
    queryFn: ({ signal }) => call(messageRetentionApi.read, { signal }),
  })

/** Time for which messages are kept; a shorter one can be taken back for a week. */
export function MessageRetentionCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(retentionOptions())
  return (
    <SettingsCard
      title="How Long Messages Are Kept"
      lead="Older messages are deleted with their files, notes and reactions, and are no longer found. Contacts and conversations stay, and so do figures, charges and the results of campaigns."
    >
      <WhenRead query={query} name="The setting">
        {(data) => <RetentionFields setting={data} onDirty={onDirty} />}
      </WhenRead>
    </SettingsCard>
  )
}

function RetentionFields({ setting, onDirty }: { setting: MessageRetention; onDirty: ReportDirty }) {
  const { months, next, version } = setting
  const mayChange = useMay('workspace:write') ?? false
  const { control, handleSubmit, formState, watch } = useForm({
    values: { kept: Number(next?.months ?? months ?? forEver) },
    // A choice made here stays when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { save, isPending } = useSaveSetting<MessageRetention>({
    queryKey: messageRetentionKeys.all,
    update: (body, intent) =>
      call(messageRetentionApi.update, { body: { months: body.months, version: body.version }, ...intent }),
    stale: (error) => staleRecord(error, messageRetentionApi.update),
    name: 'The setting',
  })
  useReportDirty('how long messages are kept', formState.isDirty, onDirty)
  const chosen = monthsOf(watch('kept'))
  // One that is saved and waits is told above.
  const isShorter = chosen !== null && chosen !== next?.months && (months === null || chosen < months)
  const submit = handleSubmit(({ kept }) => save({ ...setting, months: monthsOf(kept) }))
  return (
    <>
      {next && (
        <div role="note">
          <p>
            From {formatDay(next.from)} on, messages are kept for {next.months} months. Until then they are kept{' '}
            {wordsOf(months)}, and nothing more is deleted.
          </p>
          {mayChange && (
            <Button loading={isPending} onClick={() => save({ months, next: null, version })}>
              Take It Back
            </Button>
          )}
        </div>
      )}
      {mayChange ? (
        <SettingForm onSubmit={submit} submitLabel="Save How Long Messages Are Kept" isPending={isPending}>
          <Field control={control} name="kept" label="Keep messages">
            {(field) => <Select {...field} options={choices} />}
          </Field>
          {isShorter && <Preview months={chosen} />}
        </SettingForm>
      ) : (
        !next && <p className={styles['lead']}>Messages are kept {wordsOf(months)}.</p>
      )}
    </>
  )
}

/** Counts the messages that would go. */
function Preview({ months }: { months: NonNullable<KeptMonths> }) {
  const { data, isError } = useQuery({
    queryKey: messageRetentionKeys.preview(months),
    queryFn: ({ signal }) => call(messageRetentionApi.preview, { query: { months }, signal }),
  })
  return (
    <p className={styles['lead']} aria-live="polite">
      {data
        ? `${countedBefore(data)} ${data.messages > 0 ? 'The first of them go' : 'It holds'} ${retentionWaitDays} days after you save; you can take it back until then.`
        : isError
          ? 'How many messages would go could not be counted.'
          : 'Counting the messages that would go…'}
    </p>
  )
}

function countedBefore({ messages, before, exact }: { messages: number; before: string; exact: boolean }): string {
  const day = formatDay(before)
  if (messages === 0) return `No message was sent before ${day} yet.`
  const count = `${formatCount(messages)} ${messages === 1 ? 'message' : 'messages'}`
  return `${exact ? 'About' : 'More than'} ${count} before ${day} would be deleted.`
}
