import { type Visibility, visibilityApi } from '@parley/contracts/inbox/visibility'
import { useQuery } from '@tanstack/react-query'
import { Radio } from 'antd'
import { Controller, useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { visibilityOptions } from '../../lib/choices/visibility.ts'
import { visibilityKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const choices = [
  { value: 'all', label: 'All conversations' },
  { value: 'own', label: 'Their own, and those that nobody has' },
]

/** Sets which conversations agents see. */
export function VisibilityCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(visibilityOptions())
  return (
    <SettingsCard
      title="What Agents See"
      lead="Owners, admins and viewers see every conversation. A closed conversation is nobody's, until a customer writes again and someone takes it."
    >
      <WhenRead query={query} name="The setting">
        {(data) => <VisibilityFields setting={data} onDirty={onDirty} />}
      </WhenRead>
    </SettingsCard>
  )
}

function VisibilityFields({ setting, onDirty }: { setting: Visibility; onDirty: ReportDirty }) {
  const { control, handleSubmit, formState, watch } = useForm({
    values: { agentSees: setting.agentSees },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  useReportDirty('what agents see', formState.isDirty, onDirty)
  const { save, isPending } = useSaveSetting<Visibility>({
    queryKey: visibilityKeys.all,
    update: (body, intent) => call(visibilityApi.update, { body, ...intent }),
    stale: (error) => staleRecord(error, visibilityApi.update),
    name: 'The setting',
  })
  const submit = handleSubmit(({ agentSees }) => save({ agentSees, version: setting.version }))
  return (
    <SettingForm onSubmit={submit} submitLabel="Save What Agents See" isPending={isPending}>
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
    </SettingForm>
  )
}
