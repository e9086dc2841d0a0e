import { type ReadReceipts, readReceiptsApi } from '@parley/contracts/inbox/read-receipts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { readReceiptKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useChange } from '../../lib/use-change.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const readReceiptsOptions = () =>
  queryOptions({
    queryKey: readReceiptKeys.all,
    queryFn: ({ signal }) => call(readReceiptsApi.read, { signal }),
  })

/** Sets what customers see while a member types an answer. */
export function ReadReceiptsCard({ onDirty }: { onDirty: ReportDirty }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(readReceiptsOptions())
  return (
    <SettingsCard
      title="Read Receipts and Typing"
      lead="What customers see once a member starts typing a reply. Just opening a conversation shows them nothing."
    >
      {data ? (
        <ReadReceiptsFields setting={data} onDirty={onDirty} />
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The setting could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="140px" />
      )}
    </SettingsCard>
  )
}

/** Saves it. Another member's change meanwhile is shown, and not overwritten. */
function useSaveReadReceipts() {
  const client = useQueryClient()
  const show = (setting: ReadReceipts) => client.setQueryData(readReceiptKeys.all, setting)
  return useChange({
    run: (body: ReadReceipts, intent) => call(readReceiptsApi.update, { body, ...intent }),
    onSuccess: show,
    onError: (error) => {
      const current = staleRecord(error, readReceiptsApi.update)
      if (current) show(current)
    },
  })
}

function ReadReceiptsFields({ setting, onDirty }: { setting: ReadReceipts; onDirty: ReportDirty }) {
  const { read, typing, version } = setting
  const { control, handleSubmit, formState, watch } = useForm({
    values: { read, typing },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const save = useSaveReadReceipts()
  useReportDirty('read receipts', formState.isDirty, onDirty)
  const submit = handleSubmit((values) =>
    // WhatsApp shows typing only together with the read mark.
    save.mutateAsync({ read: values.read, typing: values.read && values.typing, version }).then(
      () => toast.success('The setting is saved.'),
      (error: unknown) =>
        toast.error(explain(error, 'The setting could not be saved. Your changes are kept. Try again.')),
    ),
  )
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <SwitchField
        control={control}
        name="read"
        label="Read receipts"
        hint="The ticks on their messages turn blue once someone starts typing a reply."
      />
      {watch('read') && (
        <SwitchField
          control={control}
          name="typing"
          label="Typing indicator"
          hint="WhatsApp shows it until the reply arrives, for up to 25 seconds."
        />
      )}
      <div className={styles['buttons']}>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          Save Read Receipts
        </Button>
      </div>
    </form>
  )
}
