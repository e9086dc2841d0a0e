import { zodResolver } from '@hookform/resolvers/zod'
import { type RatingSetting, ratingApi } from '@parley/contracts/inbox/ratings'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { ratingKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useChange } from '../../lib/use-change.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { toast } from '../../ui/toast.ts'
import { ratingSchema } from './forms.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const ratingOptions = () =>
  queryOptions({ queryKey: ratingKeys.all, queryFn: ({ signal }) => call(ratingApi.read, { signal }) })

/** Sets whether customers are asked to rate what a member has answered. */
export function RatingCard({ onDirty }: { onDirty: ReportDirty }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(ratingOptions())
  return (
    <SettingsCard
      title="Customer Rating"
      lead="Asks customers for a rating from 1 to 5 when a member closes their conversation: at most once in 30 days, while the service window is open, and where a member was the last to write. Analytics → Team shows the ratings."
    >
      {data ? (
        <RatingFields setting={data} onDirty={onDirty} />
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The rating could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="140px" />
      )}
    </SettingsCard>
  )
}

/** Saves it. Another member's change meanwhile is shown, and not overwritten. */
function useSaveRating() {
  const client = useQueryClient()
  const show = (setting: RatingSetting) => client.setQueryData(ratingKeys.all, setting)
  return useChange({
    run: (body: RatingSetting, intent) => call(ratingApi.update, { body, ...intent }),
    onSuccess: show,
    onError: (error) => {
      const current = staleRecord(error, ratingApi.update)
      if (current) show(current)
    },
  })
}

function RatingFields({ setting, onDirty }: { setting: RatingSetting; onDirty: ReportDirty }) {
  const { enabled, question, version } = setting
  const { control, handleSubmit, formState, watch } = useForm({
    resolver: zodResolver(ratingSchema),
    values: { enabled, question },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const save = useSaveRating()
  useReportDirty('rating', formState.isDirty, onDirty)
  const submit = handleSubmit((values) =>
    save.mutateAsync({ ...values, version }).then(
      () => toast.success('The rating is saved.'),
      (error: unknown) =>
        toast.error(explain(error, 'The rating could not be saved. Your changes are kept. Try again.')),
    ),
  )
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
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
      <div className={styles['buttons']}>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          Save Rating
        </Button>
      </div>
    </form>
  )
}
