import { zodResolver } from '@hookform/resolvers/zod'
import { type ApprovalRules, approvalsApi } from '@parley/contracts/platform/approvals'
import { useQuery } from '@tanstack/react-query'
import { InputNumber } from 'antd'
import { Fragment } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { approvalRulesOptions } from '../../lib/choices/approvals.ts'
import { useMay } from '../../lib/choices/members.ts'
import { counted, formatCount } from '../../lib/format.ts'
import { approvalKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { Field } from '../../ui/field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { ApprovalRequests } from './approval-requests.tsx'
import { type ApprovalLimit, type ApprovalRulesForm, approvalLimits, approvalRulesSchema } from './forms.ts'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

/** Sets which actions need the approval of a second member, and lists requests. */
export function ApprovalsCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(approvalRulesOptions())
  const mayChange = useMay('approvals:write') === true
  return (
    <SettingsCard
      title="Approvals"
      anchor="approvals"
      lead="What is named here is done once a second owner or admin has approved it, also when an API key asks. An approval counts for 72 hours, and only for what was asked for."
    >
      <ApprovalRequests />
      <WhenRead query={query} name="The rule">
        {(data) => (mayChange ? <ApprovalFields rules={data} onDirty={onDirty} /> : <Rules rules={data} />)}
      </WhenRead>
    </SettingsCard>
  )
}

const texts: Record<ApprovalLimit, { label: string; field: string; hint: string; unit: string }> = {
  campaignRecipients: {
    label: 'Large campaigns need an approval',
    field: 'More recipients than',
    hint: 'Campaigns up to this number are sent without one.',
    unit: 'recipients',
  },
  campaignCost: {
    label: 'Expensive campaigns need an approval',
    field: 'Expected cost above',
    hint: 'In the currency of your price list. Campaigns with messages without a price need one as well.',
    unit: 'in all',
  },
  exportedContacts: {
    label: 'Large exports need an approval',
    field: 'More exported contacts than',
    hint: 'Exports of up to this number of contacts begin at once.',
    unit: 'contacts',
  },
  deletedContacts: {
    label: 'Large deletions need an approval',
    field: 'More deleted contacts than',
    hint: 'Counted in each deletion. One contact alone is deleted without.',
    unit: 'contacts',
  },
}

const sentences: Record<ApprovalLimit, (limit: number) => string> = {
  campaignRecipients: (limit) => `campaigns with more than ${counted(limit, 'recipient')}`,
  campaignCost: (limit) => `campaigns that cost more than ${formatCount(limit)}, or an unknown amount`,
  exportedContacts: (limit) => `exports of more than ${counted(limit, 'contact')}`,
  deletedContacts: (limit) => `deletions of more than ${counted(limit, 'contact')}`,
}

function Rules({ rules }: { rules: ApprovalRules }) {
  const named = approvalLimits.flatMap((name) => {
    const limit = rules[name]
    return limit === null ? [] : [sentences[name](limit)]
  })
  const all = [...named, ...(rules.numberRemoval ? ['deleting a number'] : [])]
  return (
    <div>
      {all.length === 0 ? (
        <p>Nothing needs an approval. An owner can change that.</p>
      ) : (
        <>
          <p>These need an approval. An owner can change that.</p>
          <ul className={styles['waiting']}>
            {all.map((text) => (
              <li key={text}>{text.charAt(0).toUpperCase() + text.slice(1)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function ApprovalFields({ rules, onDirty }: { rules: ApprovalRules; onDirty: ReportDirty }) {
  const { version, ...values } = rules
  const { control, handleSubmit, formState, watch } = useForm<ApprovalRulesForm>({
    resolver: zodResolver(approvalRulesSchema),
    values: { ...values, limited: Object.fromEntries(approvalLimits.map((name) => [name, rules[name] !== null])) },
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
  const submit = handleSubmit(({ limited, ...set }) => {
    const off = approvalLimits.filter((name) => !limited[name]).map((name) => [name, null])
    return save({ ...set, ...Object.fromEntries(off), version })
  })
  return (
    <SettingForm onSubmit={submit} submitLabel="Save Approvals" isPending={isPending}>
      <p className={styles['lead']}>At least two members have to be owners or admins.</p>
      {approvalLimits.map((name) => (
        <Fragment key={name}>
          <SwitchField control={control} name={`limited.${name}`} label={texts[name].label} />
          {watch(`limited.${name}`) && (
            <Field control={control} name={name} label={texts[name].field} hint={texts[name].hint}>
              {(field) => (
                <InputNumber
                  {...field}
                  className={styles['number'] ?? ''}
                  inputMode="numeric"
                  suffix={texts[name].unit}
                />
              )}
            </Field>
          )}
        </Fragment>
      ))}
      <SwitchField
        control={control}
        name="numberRemoval"
        label="Deleting a number needs an approval"
        hint="Its conversations can be answered by nobody from then on."
      />
    </SettingForm>
  )
}
