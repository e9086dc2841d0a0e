import { zodResolver } from '@hookform/resolvers/zod'
import { maxWorkspaceName, type Workspace, workspaceApi } from '@parley/contracts/account/workspace'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { useIsRefused } from '../../lib/choices/members.ts'
import { useWorkspaceZone } from '../../lib/choices/sending-hours.ts'
import { ownWorkspaceOptions } from '../../lib/choices/workspace.ts'
import { explain } from '../../lib/explain.ts'
import { joinMobile, splitMobile } from '../../lib/mobile.ts'
import { userKey, workspaceKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useChange } from '../../lib/use-change.ts'
import { useConflict } from '../../lib/use-conflict.ts'
import { ConflictNotice } from '../../ui/conflict-notice.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { MobileFields } from '../../ui/mobile-fields.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { type AccountForm, accountSchema } from './forms.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

/** The business itself, as its customers know it. */
export function WorkspaceCard({ onDirty }: { onDirty: ReportDirty }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(ownWorkspaceOptions())
  const { timeZone } = useWorkspaceZone()
  return (
    <SettingsCard
      title="Account"
      lead={`The business that customers write to. Its clock is that of ${timeZone}, set under Sending Hours.`}
    >
      {data ? (
        <WorkspaceFields workspace={data} onDirty={onDirty} />
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The account could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="260px" />
      )}
    </SettingsCard>
  )
}

const valuesOf = ({ name, email, phone }: Workspace): AccountForm => ({ name, email, ...splitMobile(phone) })
const labels = { name: 'Account Name', email: 'Email', country: 'Country Code', number: 'Phone Number' } as const

function WorkspaceFields({ workspace, onDirty }: { workspace: Workspace; onDirty: ReportDirty }) {
  const client = useQueryClient()
  const isRefused = useIsRefused('workspace:write')
  const form = useForm<AccountForm>({
    resolver: zodResolver(accountSchema),
    defaultValues: valuesOf(workspace),
    disabled: isRefused,
  })
  const { control, handleSubmit, formState, reset } = form
  const conflict = useConflict({ form, record: workspace, valuesOf, labels })
  useReportDirty('account', formState.isDirty, onDirty)
  const save = useChange({
    run: ({ name, email, country, number }: AccountForm, intent) => {
      const phone = number === '' ? '' : (joinMobile({ country, number }) ?? number)
      const version = conflict.seen?.version ?? workspace.version
      return call(workspaceApi.update, { body: { name, email, phone, version }, ...intent })
    },
    onSuccess: (saved) => {
      conflict.saved(saved)
      reset(valuesOf(saved))
      client.setQueryData(workspaceKeys.own, saved)
      for (const queryKey of [userKey, workspaceKeys.list]) void client.invalidateQueries({ queryKey })
      toast.success('The account is saved.')
    },
    onError: (error) => {
      const current = staleRecord(error, workspaceApi.update)
      if (current) return conflict.merge(current)
      toast.error(explain(error, 'The account could not be saved. Your changes are kept. Try again.'))
    },
  })
  const submit = handleSubmit((values) => save.mutateAsync(values).catch(() => undefined))
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <ConflictNotice what="account" conflict={conflict} />
      <Field control={control} name="name" label={labels.name}>
        {(field) => <Input {...field} autoComplete="organization" maxLength={maxWorkspaceName} dir="auto" />}
      </Field>
      <Field control={control} name="email" label={labels.email}>
        {(field) => <Input {...field} type="email" inputMode="email" autoComplete="email" maxLength={254} />}
      </Field>
      <MobileFields form={form} label={labels.number} />
      {isRefused ? (
        <p className={styles['lead']}>Only owners and admins change the account.</p>
      ) : (
        <div className={styles['buttons']}>
          <Button type="primary" htmlType="submit" loading={save.isPending}>
            Update Account
          </Button>
        </div>
      )}
    </form>
  )
}
