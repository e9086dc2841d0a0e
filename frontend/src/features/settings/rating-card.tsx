import { zodResolver } from '@hookform/resolvers/zod'
import { type RatingSetting, ratingApi } from '@parley/contracts/inbox/ratings'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { ratingKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { Field } from '../../ui/field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { ratingSchema } from './forms.ts'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const ratingOptions = () =>
  queryOptions({ queryKey: ratingKeys.all, queryFn: ({ signal }) => call(ratingApi.read, { signal }) })

/** Sets whether customers are asked to rate what a member has answered. */
export function RatingCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(ratingOptions())
  return (
    <SettingsCard
      title="Customer Rating"
      lead="Asks customers for a rating from 1 to 5 when a member closes their conversation: at most once in 30 days, while the service window is open, and where a member was the last to write. Analytics → Team shows the ratings."
    >
      <WhenRead query={query} name="The rating">
        {(data) => <RatingFields setting={data} onDirty={onDirty} />}
      </WhenRead>
    </SettingsCard>
  )
}

function RatingFields({ setting, onDirty }: { setting: RatingSetting; onDirty: ReportDirty }) {
  const { enabled, question, version } = setting
  const { control, handleSubmit, formState, watch } = useForm({
    resolver: zodResolver(ratingSchema),
    values: { enabled, question },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { save, isPending } = useSaveSetting<RatingSetting>({
    queryKey: ratingKeys.all,
    update: (body, intent) => call(ratingApi.update, { body, ...intent }),
    stale: (error) => staleRecord(error, ratingApi.update),
    name: 'The rating',
  })
  useReportDirty('rating', formState.isDirty, onDirty)
  const submit = handleSubmit((values) => save({ ...values, version }))
  return (
    <SettingForm onSubmit={submit} submitLabel="Save Rating" isPending={isPending}>
      <SwitchField
        control={control}
        name="enabled"
        label="Ask for a rating"
        hint="A rating leaves the conversation closed. Words that follow within ten minutes are kept with it."
      />
      {watch('enabled') && (
        <Field control={control} name="question" label="Question">
          {(field) => <Input.TextArea {...field} autoSize={{ minRows: 2, maxRows: 4 }} maxLength={500} dir="auto" />}
        </Field>
      )}
    </SettingForm>
  )
}
