import { zodResolver } from '@hookform/resolvers/zod'
import { type AuditRetention, auditRetentionApi } from '@parley/contracts/account/audit'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../../lib/api.ts'
import { useMay } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { auditKeys } from '../../../lib/query-keys.ts'
import { staleRecord } from '../../../lib/stale-record.ts'
import { useChange } from '../../../lib/use-change.ts'
import { DaysInput } from '../../../ui/days-input.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import styles from '../settings.module.css'
import { SettingsCard } from '../settings-card.tsx'

const retentionOptions = () =>
  queryOptions({
    queryKey: auditKeys.retention,
    queryFn: ({ signal }) => call(auditRetentionApi.read, { signal }),
  })
const formSchema = auditRetentionApi.update.body.pick({ days: true })

/** Sets how long entries of the audit log are kept; owners change it. */
export function RetentionCard() {
  const { data } = useQuery(retentionOptions())
  const mayChange = useMay('audit:retain') ?? false
  if (!data) return null
  return (
    <SettingsCard
      title="How Long Entries Are Kept"
      lead={`Entries are kept for ${data.days} days. Older ones are removed, and the rest of the log still proves that nobody has altered it.`}
    >
      {mayChange && <RetentionForm setting={data} />}
    </SettingsCard>
  )
}

function RetentionForm({ setting }: { setting: AuditRetention }) {
  const client = useQueryClient()
  const show = (changed: AuditRetention) => client.setQueryData(auditKeys.retention, changed)
  const { control, handleSubmit } = useForm({ resolver: zodResolver(formSchema), values: { days: setting.days } })
  const save = useChange({
    run: (body: AuditRetention, intent) => call(auditRetentionApi.update, { body, ...intent }),
    onSuccess: (changed) => {
      show(changed)
      toast.success('The setting is saved.')
    },
    onError: (error) => {
      const current = staleRecord(error, auditRetentionApi.update)
      if (current) show(current)
      toast.error(explain(error, 'The setting could not be saved. Try again.'))
    },
  })
  const submit = handleSubmit(({ days }) => save.mutateAsync({ days, version: setting.version }).catch(() => undefined))
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <Field control={control} name="days" label="Days, from 90 to 2,557">
        {({ onChange, ...field }) => <DaysInput {...field} onChange={(days) => onChange(days ?? 0)} precision={0} />}
      </Field>
      <div className={styles['buttons']}>
        <Button htmlType="submit" loading={save.isPending}>
          Save Retention
        </Button>
      </div>
    </form>
  )
}
