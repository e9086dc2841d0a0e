import { zodResolver } from '@hookform/resolvers/zod'
import type { Settings } from '@parley/contracts/settings'
import { Button, Input } from 'antd'
import { useForm } from 'react-hook-form'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { type CredentialsForm, credentialsSchema } from './forms.ts'
import { useNotChanged } from './not-changed.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

/** Specification section 2, Settings: API Credentials. */
export function CredentialsTab({ settings, onDirty }: { settings: Settings; onDirty: ReportDirty }) {
  return (
    <div className={styles['cards']}>
      <ApiCard credentials={settings.credentials} onDirty={onDirty} />
      <WebhookCard webhook={settings.webhook} />
    </div>
  )
}

function ApiCard({ credentials, onDirty }: Pick<Settings, 'credentials'> & { onDirty: ReportDirty }) {
  const { connected, ...stored } = credentials
  const { control, handleSubmit, formState } = useForm<CredentialsForm>({
    resolver: zodResolver(credentialsSchema),
    values: stored,
    // What is typed stays when the settings are read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { explain, notice } = useNotChanged()
  useReportDirty('credentials', formState.isDirty, onDirty)
  const save = handleSubmit(() =>
    explain({
      short: 'Nothing was saved.',
      why: 'These credentials are sample data, which is not saved anywhere. What you typed stays on this page until you leave it.',
    }),
  )
  const test = () =>
    explain({
      short: 'Nothing was sent.',
      why: 'These credentials are sample data, so there is no WhatsApp account to connect to.',
    })
  return (
    <SettingsCard
      title="WhatsApp Business API"
      badge={
        connected ? (
          <StatusBadge tone="success">Connected</StatusBadge>
        ) : (
          <StatusBadge tone="neutral">Not connected</StatusBadge>
        )
      }
      lead="How Parley reaches your WhatsApp Business account."
    >
      <form className={styles['form']} onSubmit={save} noValidate>
        <div className={styles['pair']}>
          <Field control={control} name="phoneNumberId" label="Phone Number ID">
            {(field) => <Input {...field} inputMode="numeric" autoComplete="off" maxLength={32} />}
          </Field>
          <Field control={control} name="businessAccountId" label="Business Account ID">
            {(field) => <Input {...field} inputMode="numeric" autoComplete="off" maxLength={32} />}
          </Field>
        </div>
        <Field
          control={control}
          name="accessToken"
          label="Access Token"
          hint="Your access token is encrypted and stored securely."
        >
          {(field) => <SecretInput {...field} what="access token" autoComplete="off" maxLength={512} />}
        </Field>
        {notice}
        <div className={styles['buttons']}>
          <Button type="primary" htmlType="submit">
            Save Changes
          </Button>
          <Button onClick={test}>Test Connection</Button>
        </div>
      </form>
    </SettingsCard>
  )
}

function WebhookCard({ webhook: { url, verifyToken } }: Pick<Settings, 'webhook'>) {
  const { explain, notice } = useNotChanged()
  const regenerate = () =>
    explain({
      short: 'The verify token was not changed.',
      why: 'This is sample data: there is no server that could use a new token.',
    })
  return (
    <SettingsCard
      title="Webhook Configuration"
      lead="Paste both into your Meta app, so that WhatsApp sends your customers’ messages to Parley."
    >
      <div className={styles['form']}>
        <ReadOnly label="Webhook URL" text={url} what="webhook URL" />
        <ReadOnly label="Verify Token" text={verifyToken} what="verify token" secret />
        {notice}
        <div className={styles['buttons']}>
          <Button onClick={regenerate}>Regenerate Token</Button>
        </div>
      </div>
    </SettingsCard>
  )
}

function ReadOnly({
  label,
  text,
  what,
  secret = false,
}: {
  label: string
  text: string
  what: string
  secret?: boolean
}) {
  const id = `settings-${what.replace(' ', '-')}`
  return (
    <div className={styles['readOnly']}>
      <label htmlFor={id}>{label}</label>
      <span className={styles['withCopy']}>
        {secret ? (
          <SecretInput id={id} what={what} readOnly value={text} autoComplete="off" />
        ) : (
          <Input id={id} readOnly value={text} />
        )}
        <CopyButton what={what} text={text} />
      </span>
    </div>
  )
}
