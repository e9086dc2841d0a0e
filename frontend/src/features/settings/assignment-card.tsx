import { zodResolver } from '@hookform/resolvers/zod'
import type { Member } from '@parley/contracts/account/members'
import { can } from '@parley/contracts/account/permissions'
import { type Assignment, assignmentApi } from '@parley/contracts/inbox/assignment'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { InputNumber, Select } from 'antd'
import { Controller, useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { memberChoices } from '../../lib/choices/members.ts'
import { showFieldProblems } from '../../lib/form-problems.ts'
import { assignmentKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { type AssignmentForm, assignmentSchema } from './forms.ts'
import { MemberLimits } from './member-limits.tsx'
import { SettingForm, useSaveSetting } from './setting.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const assignmentOptions = () =>
  queryOptions({
    queryKey: assignmentKeys.all,
    queryFn: ({ signal }) => call(assignmentApi.read, { signal }),
  })

const modes = [
  { value: 'off', label: 'Nobody' },
  { value: 'round_robin', label: 'Each member in turn' },
  { value: 'least_busy', label: 'The least busy member' },
] as const

const hints: Readonly<Record<Assignment['mode'], string>> = {
  off: 'They stay under Unassigned until someone takes them.',
  round_robin: 'One after the other, in the order below.',
  least_busy: 'The member with the fewest open conversations.',
}

/** Sets who gets a new conversation from a customer that has no owner. */
export function AssignmentCard({ onDirty }: { onDirty: ReportDirty }) {
  const setting = useQuery(assignmentOptions())
  const members = useQuery(memberChoices())
  const failed = [setting, members].find(({ isLoadingError, isFetching }) => isLoadingError && !isFetching)
  return (
    <SettingsCard
      title="Automatic Assignment"
      lead="Who gets a new conversation that has no owner yet. Conversations with an owner stay with them. Members who are away get none, and outside the opening hours that you have saved nobody does: what waits is given out later, the longest waiting first."
    >
      {setting.data && members.data ? (
        <AssignmentFields assignment={setting.data} members={members.data} onDirty={onDirty} />
      ) : failed ? (
        <ErrorState message="The assignment could not be loaded." onRetry={() => void failed.refetch()} />
      ) : (
        <SkeletonBar height="180px" />
      )}
    </SettingsCard>
  )
}

interface Props {
  assignment: Assignment
  members: readonly Member[]
  onDirty: ReportDirty
}

function AssignmentFields({ assignment, members, onDirty }: Props) {
  const { control, handleSubmit, formState, setError, watch } = useForm<AssignmentForm>({
    resolver: zodResolver(assignmentSchema),
    values: fieldsOf(assignment),
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { save, isPending } = useSaveSetting<Assignment>({
    queryKey: assignmentKeys.all,
    update: (body, intent) => call(assignmentApi.update, { body, ...intent }),
    stale: (error) => staleRecord(error, assignmentApi.update),
    name: 'The assignment',
    showProblems: (error) =>
      showFieldProblems(error, { members: 'members', limit: 'limit', limits: 'limits' }, setError),
  })
  const [mode, chosen, limit] = watch(['mode', 'members', 'limit'])
  const options = optionsOf(members, assignment.members)
  useReportDirty('assignment', formState.isDirty, onDirty)
  const submit = handleSubmit((values) => save({ ...values, version: assignment.version }))
  return (
    <SettingForm onSubmit={submit} submitLabel="Save Assignment" isPending={isPending}>
      <Field control={control} name="mode" label="New conversations go to" hint={hints[mode]}>
        {(field) => <Select {...field} options={[...modes]} />}
      </Field>
      {mode !== 'off' && (
        <>
          <Field control={control} name="members" label="Members who take part">
            {(field) => (
              <Select
                {...field}
                mode="multiple"
                placeholder="Choose members"
                optionFilterProp="label"
                options={options}
              />
            )}
          </Field>
          <Field
            control={control}
            name="limit"
            label="Open conversations of each at most"
            hint="Further ones wait until somebody has room. Snoozed conversations do not count."
            optional
          >
            {(field) => (
              <InputNumber
                {...field}
                className={styles['number'] ?? ''}
                inputMode="numeric"
                min={1}
                max={500}
                precision={0}
                placeholder="No limit"
              />
            )}
          </Field>
          {chosen.length > 0 && (
            <Controller
              control={control}
              name="limits"
              render={({ field: { value, onChange } }) => (
                <MemberLimits
                  limits={value}
                  shared={limit}
                  members={options.filter((option) => chosen.includes(option.value))}
                  onChange={onChange}
                />
              )}
            />
          )}
        </>
      )}
    </SettingForm>
  )
}

const fieldsOf = ({ mode, members, limit, limits }: Assignment): AssignmentForm => ({ mode, members, limit, limits })

/** Returns members who may answer customers, and those who were chosen while they still could. */
function optionsOf(members: readonly Member[], chosen: readonly string[]): { value: string; label: string }[] {
  const able = members.filter(({ role, userId }) => can(role, 'conversations:write') || chosen.includes(userId))
  const former = chosen.filter((userId) => !members.some((member) => member.userId === userId))
  return [
    ...able.map(({ userId, name }) => ({ value: userId, label: name })),
    ...former.map((userId) => ({ value: userId, label: 'A former member' })),
  ]
}
