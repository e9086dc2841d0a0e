import { zodResolver } from '@hookform/resolvers/zod'
import { passwordMaxLength } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { Button } from 'antd'
import { useForm } from 'react-hook-form'
import { ApiError, call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { showFieldProblems } from '../../lib/form-problems.ts'
import { Link } from '../../lib/navigation.ts'
import { useChange } from '../../lib/use-change.ts'
import { useIdentity, useUser } from '../../lib/user.ts'
import { Field } from '../../ui/field.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { toast } from '../../ui/toast.ts'
import { AnotherWorkspaceCard } from './another-workspace-card.tsx'
import { ApprovalsCard } from './approvals-card.tsx'
import { AssignmentCard } from './assignment-card.tsx'
import { ConsentCard } from './consent-card.tsx'
import { DeleteWorkspaceCard } from './delete-workspace-card.tsx'
import { ExportWorkspaceCard } from './export-workspace-card.tsx'
import { type PasswordForm, passwordSchema } from './forms.ts'
import { MessageRetentionCard } from './message-retention-card.tsx'
import { OpeningHoursCard } from './opening-hours-card.tsx'
import { RatingCard } from './rating-card.tsx'
import { ReadReceiptsCard } from './read-receipts-card.tsx'
import { ResponseTargetCard } from './response-target-card.tsx'
import { SendingHoursCard } from './sending-hours-card.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'
import { VisibilityCard } from './visibility-card.tsx'
import { WorkspaceCard } from './workspace-card.tsx'

/** Account and Security; between them the settings of answering: hours, assignment, sight, consent. */
export function AccountTab({ onDirty }: { onDirty: ReportDirty }) {
  return (
    <div className={styles['cards']}>
      <WorkspaceCard onDirty={onDirty} />
      <OpeningHoursCard onDirty={onDirty} />
      <ResponseTargetCard onDirty={onDirty} />
      <AssignmentCard onDirty={onDirty} />
      <VisibilityCard onDirty={onDirty} />
      <RatingCard onDirty={onDirty} />
      <ReadReceiptsCard onDirty={onDirty} />
      <ConsentCard onDirty={onDirty} />
      <SendingHoursCard onDirty={onDirty} />
      <ApprovalsCard onDirty={onDirty} />
      <MessageRetentionCard onDirty={onDirty} />
      <SecurityCard onDirty={onDirty} />
      <AnotherWorkspaceCard />
      <ExportWorkspaceCard />
      <DeleteWorkspaceCard />
    </div>
  )
}

const empty: PasswordForm = { current: '', next: '', confirmation: '' }
const passwords = [
  { name: 'current', label: 'Current Password', autoComplete: 'current-password' },
  { name: 'next', label: 'New Password', autoComplete: 'new-password' },
  { name: 'confirmation', label: 'Confirm New Password', autoComplete: 'new-password' },
] as const

function SecurityCard({ onDirty }: { onDirty: ReportDirty }) {
  const email = useUser().data?.email ?? ''
  const isElsewhere = useIdentity()?.provider !== 'password'
  const { control, handleSubmit, formState, reset, setError } = useForm<PasswordForm>({
    resolver: zodResolver(passwordSchema),
    defaultValues: empty,
  })
  useReportDirty('password', formState.isDirty, onDirty)
  const change = useChange({
    run: ({ current, next }: PasswordForm, intent) => call(authApi.password, { body: { current, next }, ...intent }),
    onSuccess: () => {
      reset(empty)
      toast.success('Your password is changed. Your other sessions have ended.')
    },
    onError: (error) => {
      const message = explain(error, 'Your password could not be changed. Try again.')
      if (error instanceof ApiError && error.body.code === 'password_wrong')
        return setError('current', { message }, { shouldFocus: true })
      if (!showFieldProblems(error, { next: 'next' }, setError)) toast.error(message)
    },
  })
  const save = handleSubmit((values) => change.mutateAsync(values).catch(() => undefined))
  if (isElsewhere)
    return (
      <SettingsCard title="Security">
        <p className={styles['lead']}>
          You sign in with Google, which keeps your password. To use one here as well, ask for a link by email:{' '}
          <Link to="/forgot-password">Send Reset Link</Link>.
        </p>
      </SettingsCard>
    )
  return (
    <SettingsCard title="Security" lead="At least 6 characters.">
      <form className={styles['form']} onSubmit={save} noValidate>
        {/* Password managers need to know whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {passwords.map(({ name, label, autoComplete }) => (
          <Field key={name} control={control} name={name} label={label}>
            {(field) => (
              <SecretInput
                {...field}
                what={label.toLowerCase()}
                autoComplete={autoComplete}
                maxLength={passwordMaxLength}
              />
            )}
          </Field>
        ))}
        <div className={styles['buttons']}>
          <Button htmlType="submit" loading={change.isPending}>
            Change Password
          </Button>
        </div>
      </form>
    </SettingsCard>
  )
}
