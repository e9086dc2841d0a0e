import { type Visibility, visibilityApi } from '@parley/contracts/inbox/visibility'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Radio } from 'antd'
import { Controller, useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { visibilityOptions } from '../../lib/choices/visibility.ts'
import { explain } from '../../lib/explain.ts'
import { visibilityKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useChange } from '../../lib/use-change.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const choices = [
  { value: 'all', label: 'All conversations' },
  { value: 'own', label: 'Their own, and those that nobody has' },
]

/** Sets which conversations agents see. */
export function VisibilityCard({ onDirty }: { onDirty: ReportDirty }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(visibilityOptions())
  return (
    <SettingsCard
      title="What Agents See"
      lead="Owners, admins and viewers see every conversation. A closed conversation is nobody's, until a customer writes again and someone takes it."
    >
      {data ? (
        <VisibilityFields setting={data} onDirty={onDirty} />
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The setting could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="140px" />
      )}
    </SettingsCard>
  )
}

function VisibilityFields({ setting, onDirty }: { setting: Visibility; onDirty: ReportDirty }) {
  const client = useQueryClient()
  const show = (changed: Visibility) => client.setQueryData(visibilityKeys.all, changed)
  const { control, handleSubmit, formState, watch } = useForm({
    values: { agentSees: setting.agentSees },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  useReportDirty('what agents see', formState.isDirty, onDirty)
  const save = useChange({
    run: (body: Visibility, intent) => call(visibilityApi.update, { body, ...intent }),
    onSuccess: (changed) => {
      show(changed)
      toast.success('The setting is saved.')
    },
    onError: (error) => {
      const current = staleRecord(error, visibilityApi.update)
      if (current) show(current)
      toast.error(explain(error, 'The setting could not be saved. Your changes are kept. Try again.'))
    },
  })
  const submit = handleSubmit(({ agentSees }) =>
    save.mutateAsync({ agentSees, version: setting.version }).catch(() => undefined),
  )
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <Controller
        control={control}
        name="agentSees"
        render={({ field }) => (
          <Radio.Group {...field} options={choices} vertical aria-label="Conversations that agents see" />
        )}
      />
      {watch('agentSees') === 'own' && (
        <p className={styles['lead']}>
          Agents then reach contacts through their conversations: the list of contacts and the recipients of campaigns
          are closed to them.
        </p>
      )}
      <div className={styles['buttons']}>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          Save What Agents See
        </Button>
      </div>
    </form>
  )
}
