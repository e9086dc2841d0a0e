import { zodResolver } from '@hookform/resolvers/zod'
import { type ApprovalRules, approvalsApi } from '@parley/contracts/campaigns/approvals'
import { useQuery } from '@tanstack/react-query'
import { InputNumber } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { approvalRulesOptions } from '../../lib/choices/approvals.ts'
import { useMay, useMemberName } from '../../lib/choices/members.ts'
import { counted, formatCount } from '../../lib/format.ts'
import { Link } from '../../lib/navigation.ts'
import { approvalKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { Field } from '../../ui/field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { type ApprovalRulesForm, approvalRulesSchema } from './forms.ts'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

/** Sets which campaigns need the approval of a second member, and lists requests that wait. */
export function ApprovalsCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(approvalRulesOptions())
  const mayChange = useMay('approvals:write') === true
  return (
    <SettingsCard
      title="Approvals"
      lead="A large campaign is sent once a second owner or admin has approved it, also when an API key launches it. An approval counts for 72 hours, and only for what was asked for."
    >
      <WhenRead query={query} name="The rule">
        {(data) =>
          mayChange ? (
            <ApprovalFields rules={data} onDirty={onDirty} />
          ) : (
            <div>
              <p>
                {data.campaignRecipients === null
                  ? 'No campaign needs an approval. An owner can change that.'
                  : `Campaigns with more than ${counted(data.campaignRecipients, 'recipient')} need an approval. An owner can change that.`}
              </p>
            </div>
          )
        }
      </WhenRead>
      <Waiting />
    </SettingsCard>
  )
}

function Waiting() {
  const mayRead = useMay('approvals:read') === true
  const nameOf = useMemberName()
  const { data } = useQuery({
    queryKey: approvalKeys.waiting,
    queryFn: async ({ signal }) => (await call(approvalsApi.list, { signal })).items,
    enabled: mayRead,
  })
  if (!data || data.length === 0) return null
  return (
    <div>
      <p id="approvals-waiting">Waiting for a decision</p>
      <ul aria-labelledby="approvals-waiting" className={styles['waiting']}>
        {data.map(({ id, campaignId, campaignName, recipients, askedBy }) => (
          <li key={id} dir="auto">
            <Link to={`/broadcasts?draft=${campaignId}&step=review`}>{campaignName || 'Untitled broadcast'}</Link>,{' '}
            {formatCount(recipients)} recipients, asked by {nameOf(askedBy)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function ApprovalFields({ rules, onDirty }: { rules: ApprovalRules; onDirty: ReportDirty }) {
  const { control, handleSubmit, formState, watch } = useForm<ApprovalRulesForm>({
    resolver: zodResolver(approvalRulesSchema),
    values: { limited: rules.campaignRecipients !== null, campaignRecipients: rules.campaignRecipients },
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  useReportDirty('approvals', formState.isDirty, onDirty)
  const { save, isPending } = useSaveSetting<ApprovalRules>({
    queryKey: approvalKeys.rules,
    update: (body, intent) => call(approvalsApi.updateRules, { body, ...intent }),
    stale: (error) => staleRecord(error, approvalsApi.updateRules),
    name: 'The rule',
  })
  const submit = handleSubmit(({ limited, campaignRecipients }) =>
    save({ campaignRecipients: limited ? campaignRecipients : null, version: rules.version }),
  )
  return (
    <SettingForm onSubmit={submit} submitLabel="Save Approvals" isPending={isPending}>
      <SwitchField
        control={control}
        name="limited"
        label="Large campaigns need an approval"
        hint="At least two members have to be owners or admins."
      />
      {watch('limited') && (
        <Field
          control={control}
          name="campaignRecipients"
          label="More recipients than"
          hint="Campaigns up to this number are sent without one."
        >
          {(field) => (
            <InputNumber {...field} className={styles['number'] ?? ''} inputMode="numeric" suffix="recipients" />
          )}
        </Field>
      )}
    </SettingForm>
  )
}
