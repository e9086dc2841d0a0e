import { zodResolver } from '@hookform/resolvers/zod'
import type { Credentials } from '@parley/contracts/channel/credentials'
import type { NumberCheck } from '@parley/contracts/channel/numbers'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { explain } from '../../lib/explain.ts'
import { showFieldProblems } from '../../lib/form-problems.ts'
import { Field } from '../../ui/field.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { useRemovePreviousSecret, useSaveCredentials, useTestConnection } from './credentials-api.ts'
import { type CredentialsForm, credentialsOf, credentialsSchema } from './forms.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const fields = {
  phoneNumberId: 'phoneNumberId',
  businessAccountId: 'businessAccountId',
  accessToken: 'accessToken',
  appSecret: 'appSecret',
} as const

const stored = (secret: Credentials['accessToken'], what: string): string =>
  secret.set
    ? `Your ${what} is encrypted and stored securely. It ends in ${secret.last4}; leave this empty to keep it.`
    : `Your ${what} is encrypted and stored securely.`

/** The default number's ids and secrets. A secret is shown only as it was just typed. */
export function ApiCard({ credentials, onDirty }: { credentials: Credentials; onDirty: ReportDirty }) {
  const { connected, phoneNumberId, businessAccountId, accessToken, appSecret, previousAppSecret } = credentials
  const { control, handleSubmit, formState, setError, reset } = useForm<CredentialsForm>({
    resolver: zodResolver(credentialsSchema),
    values: { phoneNumberId, businessAccountId, accessToken: '', appSecret: '' },
    // Typed values stay when the credentials are read again.
    resetOptions: { keepDirtyValues: true },
  })
  const save = useSaveCredentials()
  const test = useTestConnection()
  const removePrevious = useRemovePreviousSecret()
  const [checks, setChecks] = useState<readonly NumberCheck[]>()
  useReportDirty('credentials', formState.isDirty, onDirty)

  const failed = (words: string) => (error: unknown) => {
    if (!showFieldProblems(error, fields, setError)) toast.error(explain(error, words))
  }
  const submit = handleSubmit(async (values) => {
    try {
      const after = await save.mutateAsync(credentialsOf(values))
      const { phoneNumberId, businessAccountId } = after
      // The typed values are stored now: the secrets leave the page.
      reset({ phoneNumberId, businessAccountId, accessToken: '', appSecret: '' }, { keepDirtyValues: false })
      setChecks(undefined)
      toast.success('The credentials are saved.')
    } catch (error) {
      failed('The credentials could not be saved. What you typed is kept. Try again.')(error)
    }
  })
  const tryConnection = handleSubmit((values) =>
    test
      .mutateAsync(credentialsOf(values))
      .then((result) => setChecks(result.checks), failed('The connection could not be tested. Try again.')),
  )
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
      <form className={styles['form']} onSubmit={submit} noValidate>
        <div className={styles['pair']}>
          <Field control={control} name="phoneNumberId" label="Phone Number ID">
            {(field) => <Input {...field} inputMode="numeric" autoComplete="off" maxLength={32} />}
          </Field>
          <Field control={control} name="businessAccountId" label="Business Account ID">
            {(field) => <Input {...field} inputMode="numeric" autoComplete="off" maxLength={32} />}
          </Field>
        </div>
        <Field control={control} name="accessToken" label="Access Token" hint={stored(accessToken, 'access token')}>
          {(field) => <SecretInput {...field} what="access token" autoComplete="off" maxLength={512} />}
        </Field>
        <Field
          control={control}
          name="appSecret"
          label="App Secret"
          hint={`${stored(appSecret, 'app secret')} WhatsApp signs what it sends with it.`}
        >
          {(field) => <SecretInput {...field} what="app secret" autoComplete="off" maxLength={128} />}
        </Field>
        {previousAppSecret.set && (
          <Alert
            type="info"
            showIcon
            role="note"
            title={`The previous secret, ending in ${previousAppSecret.last4}, still works, so you can change it in Meta without downtime.`}
            action={
              <Button
                size="small"
                loading={removePrevious.isPending}
                onClick={() =>
                  removePrevious.mutate(undefined, { onError: failed('It could not be removed. Try again.') })
                }
              >
                Remove Old Secret
              </Button>
            }
          />
        )}
        {checks && <TestResult checks={checks} />}
        <div className={styles['buttons']}>
          <Button type="primary" htmlType="submit" loading={formState.isSubmitting && save.isPending}>
            Save Changes
          </Button>
          <Button loading={test.isPending} onClick={() => void tryConnection()}>
            Test Connection
          </Button>
        </div>
      </form>
    </SettingsCard>
  )
}

function TestResult({ checks }: { checks: readonly NumberCheck[] }) {
  const problem = checks.find(({ state }) => state === 'failed')
  if (!problem) return <Alert type="success" showIcon role="status" title="WhatsApp accepts these credentials." />
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={<b dir="auto">{problem.message}</b>}
      description={problem.advice}
    />
  )
}
