import { zodResolver } from '@hookform/resolvers/zod'
import { type ResponseTarget, responseTargetApi } from '@parley/contracts/inbox/response-target'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, InputNumber } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { responseTargetKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useChange } from '../../lib/use-change.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { type ResponseTargetForm, responseTargetSchema } from './forms.ts'
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
  const { data, isLoadingError, isFetching, refetch } = useQuery(responseTargetOptions())
  return (
    <SettingsCard
      title="Response Target"
      lead="How soon a person answers, counted within the opening hours. Conversations show the time that is left, and the team is told once it has passed. A bot’s answer does not count."
    >
      {data ? (
        <ResponseTargetFields target={data} onDirty={onDirty} />
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The response target could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="140px" />
      )}
    </SettingsCard>
  )
}

/** Saves it. Another member's change meanwhile is shown, and not overwritten. */
function useSaveTarget() {
  const client = useQueryClient()
  const show = (target: ResponseTarget) => client.setQueryData(responseTargetKeys.all, target)
  return useChange({
    run: (body: ResponseTarget, intent) => call(responseTargetApi.update, { body, ...intent }),
    onSuccess: show,
    onError: (error) => {
      const current = staleRecord(error, responseTargetApi.update)
      if (current) show(current)
    },
  })
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
  const save = useSaveTarget()
  useReportDirty('response target', formState.isDirty, onDirty)
  const submit = handleSubmit((values) =>
    save.mutateAsync({ ...values, version }).then(
      () => toast.success('The response target is saved.'),
      (error: unknown) =>
        toast.error(explain(error, 'The response target could not be saved. Your changes are kept. Try again.')),
    ),
  )
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <div className={styles['pair']}>
        {fields.map(({ name, label, hint }) => (
          <Field key={name} control={control} name={name} label={label} hint={hint} optional>
            {(field) => (
              <InputNumber {...field} className={styles['number'] ?? ''} inputMode="numeric" suffix="minutes" />
            )}
          </Field>
        ))}
      </div>
      <div className={styles['buttons']}>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          Save Response Target
        </Button>
      </div>
    </form>
  )
}
