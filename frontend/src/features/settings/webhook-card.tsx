import type { Credentials } from '@parley/contracts/channel/credentials'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { toast } from '../../ui/toast.ts'
import { useRegenerateToken } from './credentials-api.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

/** Shows where WhatsApp sends customers' messages. The verify token is shown when it is made, and not again. */
export function WebhookCard({ webhook: { url, verifyToken } }: Pick<Credentials, 'webhook'>) {
  const regenerate = useRegenerateToken()
  const [token, setToken] = useState<string>()
  const make = () =>
    regenerate.mutate(undefined, {
      onSuccess: (made) => setToken(made.verifyToken),
      onError: (error) => toast.error(explain(error, 'The verify token could not be changed. Try again.')),
    })
  return (
    <SettingsCard
      title="Webhook Configuration"
      lead="Parley enters both when you connect a number. To do it by hand, paste them into your Meta app, so that WhatsApp sends your customers’ messages to Parley."
    >
      <div className={styles['form']}>
        <div className={styles['readOnly']}>
          <label htmlFor="settings-webhook-url">Webhook URL</label>
          <span className={styles['withCopy']}>
            <Input id="settings-webhook-url" readOnly value={url} />
            <CopyButton what="webhook URL" text={url} />
          </span>
        </div>
        <div className={styles['readOnly']}>
          <label htmlFor="settings-verify-token">Verify Token</label>
          {token === undefined ? (
            <Input id="settings-verify-token" readOnly value={verifyToken.set ? `••••••••${verifyToken.last4}` : ''} />
          ) : (
            <span className={styles['withCopy']}>
              <SecretInput id="settings-verify-token" what="verify token" readOnly value={token} autoComplete="off" />
              <CopyButton what="verify token" text={token} />
            </span>
          )}
        </div>
        {token !== undefined && (
          <Alert type="info" showIcon role="status" title="Copy the new token now: it is not shown again." />
        )}
        <div className={styles['buttons']}>
          <Button loading={regenerate.isPending} onClick={make}>
            Regenerate Token
          </Button>
        </div>
      </div>
    </SettingsCard>
  )
}
