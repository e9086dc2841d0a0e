import { zodResolver } from '@hookform/resolvers/zod'
import { passwordMaxLength } from '@parley/contracts/account/auth'
import type { Settings } from '@parley/contracts/account/settings'
import { Alert, Button, Input } from 'antd'
import { useId, useMemo } from 'react'
import { useForm } from 'react-hook-form'
import { splitMobile } from '../../lib/mobile.ts'
import { Link } from '../../lib/navigation.ts'
import { useExamples } from '../../lib/sample-data.ts'
import { useUser } from '../../lib/user.ts'
import { ExampleLine, ExampleScope, useSaveNote } from '../../ui/example.tsx'
import { Field } from '../../ui/field.tsx'
import { MobileFields } from '../../ui/mobile-fields.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { toast } from '../../ui/toast.ts'
import { AssignmentCard } from './assignment-card.tsx'
import { ConsentCard } from './consent-card.tsx'
import { type AccountForm, accountSchema, type PasswordForm, passwordSchema } from './forms.ts'
import { useNotChanged } from './not-changed.tsx'
import { ReadReceiptsCard } from './read-receipts-card.tsx'
import { SendingHoursCard } from './sending-hours-card.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

/** Account and Security; between them, who gets new conversations, what customers see, what ends marketing, and its hours. */
export function AccountTab({ settings, onDirty }: { settings: Settings; onDirty: ReportDirty }) {
  const examples = useExamples('settings')
  const account = <AccountCard account={settings.account} onDirty={onDirty} />
  return (
    <div className={styles['cards']}>
      {examples === 'live' && account}
      {examples === 'shown' && <ExampleScope what="account">{account}</ExampleScope>}
      {examples === 'none' && (
        <SettingsCard title="Account">
          <p className={styles['lead']}>
            The account of your business is not stored yet. Your own name and phone number are in{' '}
            <Link to="/profile">your profile</Link>.
          </p>
        </SettingsCard>
      )}
      <AssignmentCard onDirty={onDirty} />
      <ReadReceiptsCard onDirty={onDirty} />
      <ConsentCard onDirty={onDirty} />
      <SendingHoursCard onDirty={onDirty} />
      <SecurityCard onDirty={onDirty} />
    </div>
  )
}

export function AccountCard({ account, onDirty }: Pick<Settings, 'account'> & { onDirty: ReportDirty }) {
  const { name, email, phone } = account
  const values = useMemo(() => ({ name, email, ...splitMobile(phone) }), [name, email, phone])
  const form = useForm<AccountForm>({
    resolver: zodResolver(accountSchema),
    values,
    // Typed values stay when the settings are read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { explain, notice } = useNotChanged()
  const { note, noteId } = useSaveNote()
  useReportDirty('account', form.formState.isDirty, onDirty)
  const save = form.handleSubmit(() =>
    explain({
      short: 'The account was not changed.',
      why: 'This is sample data, which is not saved anywhere. Your own name and phone number are in your profile.',
    }),
  )
  return (
    <SettingsCard title="Account" lead="The business that customers write to.">
      <form className={styles['form']} onSubmit={save} noValidate>
        <ExampleLine />
        <Field control={form.control} name="name" label="Account Name">
          {(field) => <Input {...field} autoComplete="organization" maxLength={120} dir="auto" />}
        </Field>
        <Field control={form.control} name="email" label="Email">
          {(field) => <Input {...field} type="email" inputMode="email" autoComplete="email" maxLength={254} />}
        </Field>
        <MobileFields form={form} label="Phone Number" />
        {notice}
        <div className={styles['buttons']}>
          <Button type="primary" htmlType="submit" aria-describedby={noteId}>
            Update Account
          </Button>
          {note}
        </div>
      </form>
    </SettingsCard>
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
  const hint = useId()
  const { control, handleSubmit, formState } = useForm<PasswordForm>({
    resolver: zodResolver(passwordSchema),
    defaultValues: empty,
  })
  useReportDirty('password', formState.isDirty, onDirty)
  const save = handleSubmit(() => toast.note('Your password was not changed.'))
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
        <Alert
          id={hint}
          type="info"
          showIcon
          role="note"
          title={
            <>
              <b>Your password is not changed here.</b> To change it, ask for a link by email:{' '}
              <Link to="/forgot-password">Send Reset Link</Link>.
            </>
          }
        />
        <div className={styles['buttons']}>
          <Button htmlType="submit" aria-describedby={hint}>
            Change Password
          </Button>
        </div>
      </form>
    </SettingsCard>
  )
}
