import { type ReadReceipts, readReceiptsApi } from '@parley/contracts/inbox/read-receipts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { readReceiptKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { SwitchField } from '../../ui/switch-field.tsx'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const readReceiptsOptions = () =>
  queryOptions({
    queryKey: readReceiptKeys.all,
    queryFn: ({ signal }) => call(readReceiptsApi.read, { signal }),
  })

/** Sets what customers see while a member types an answer. */
export function ReadReceiptsCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(readReceiptsOptions())
  return (
    <SettingsCard
      title="Read Receipts and Typing"
      lead="What customers see once a member starts typing a reply. Just opening a conversation shows them nothing."
    >
      <WhenRead query={query} name="The setting">
        {(data) => <ReadReceiptsFields setting={data} onDirty={onDirty} />}
      </WhenRead>
    </SettingsCard>
  )
}

function ReadReceiptsFields({ setting, onDirty }: { setting: ReadReceipts; onDirty: ReportDirty }) {
  const { read, typing, version } = setting
  const { control, handleSubmit, formState, watch } = useForm({
    values: { read, typing },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { save, isPending } = useSaveSetting<ReadReceipts>({
    queryKey: readReceiptKeys.all,
    update: (body, intent) => call(readReceiptsApi.update, { body, ...intent }),
    stale: (error) => staleRecord(error, readReceiptsApi.update),
    name: 'The setting',
  })
  useReportDirty('read receipts', formState.isDirty, onDirty)
  const submit = handleSubmit((values) =>
    // WhatsApp shows typing only together with the read mark.
    save({ read: values.read, typing: values.read && values.typing, version }),
  )
  return (
    <SettingForm onSubmit={submit} submitLabel="Save Read Receipts" isPending={isPending}>
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
    </SettingForm>
  )
}
