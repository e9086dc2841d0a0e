import type { WebhookEvent } from '@parley/contracts/platform/public-events'
import type { Webhook } from '@parley/contracts/platform/webhooks'
import { Alert, Select } from 'antd'
import { useEffect, useId, useMemo, useState } from 'react'
import { useLast } from '../../lib/use-last.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { InfoDialog } from '../../ui/dialog.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { curlOf, type Delivery, signatureHeader, signatureOf, testDelivery } from './delivery.ts'
import { secretJustTyped } from './typed-secrets.ts'
import styles from './webhooks.module.css'

/** Shows what a test would send. Nothing is sent without a server, which is the first thing it says. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const shown = useLast(webhook)
  return (
    <InfoDialog open={webhook !== undefined} width={640} title={`Test ${shown?.name ?? 'webhook'}`} onClose={onClose}>
      {shown && <TestRequest key={shown.id} webhook={shown} />}
    </InfoDialog>
  )
}

function TestRequest({ webhook }: { webhook: Webhook }) {
  const id = useId()
  const [event, setEvent] = useState<WebhookEvent>(webhook.events[0] ?? 'message.received')
  const [secret, setSecret] = useState(() => secretJustTyped(webhook.id))
  const delivery = useMemo(
    () => testDelivery(webhook, event, { id: crypto.randomUUID(), at: new Date() }),
    [webhook, event],
  )
  const signature = useSignature(delivery.body, webhook.secret.set ? secret : '')
  const signed: Delivery = signature
    ? { ...delivery, headers: { ...delivery.headers, [signatureHeader]: signature } }
    : delivery
  return (
    <div className={styles['test']}>
      <Alert
        type="info"
        role="status"
        title={
          <>
            <b>Nothing was sent.</b> This workspace shows sample data, so no server calls{' '}
            <span className={styles['address']}>{webhook.url}</span>. This is the request that a test makes; to try your
            receiver, copy it as a command for your terminal.
          </>
        }
      />
      <div className={styles['testFields']}>
        <div>
          <label htmlFor={`${id}-event`}>Event</label>
          <Select
            id={`${id}-event`}
            value={event}
            onChange={setEvent}
            options={webhook.events.map((value) => ({ value, label: value }))}
          />
        </div>
        {webhook.secret.set && (
          <div>
            <label htmlFor={`${id}-secret`}>Secret (ends in {webhook.secret.last4})</label>
            <SecretInput
              id={`${id}-secret`}
              what="secret"
              autoComplete="off"
              maxLength={256}
              placeholder="Paste it to see the signature"
              value={secret}
              onChange={({ target }) => setSecret(target.value)}
            />
            {secret !== '' && !secret.endsWith(webhook.secret.last4) && (
              <p className={styles['quiet']}>This is not the stored secret.</p>
            )}
          </div>
        )}
      </div>
      <Part title="Headers" what="headers" text={headerLines(signed, webhook, signature)} />
      <Part title="Payload" what="payload" text={delivery.body} />
      <p className={styles['curl']}>
        <span>The whole request as a command (curl)</span>
        <CopyButton what="as curl" text={curlOf(webhook.url, signed)} />
      </p>
    </div>
  )
}

function headerLines({ headers }: Delivery, { secret, url }: Webhook, signature: string): string {
  const { pathname, search } = new URL(url)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (secret.set && !signature) lines.push(`${signatureHeader}: sha256=<HMAC-SHA256 of the payload under the secret>`)
  return [`POST ${pathname}${search}`, ...lines].join('\n')
}

function Part({ title, what, text }: { title: string; what: string; text: string }) {
  return (
    <section className={styles['part']}>
      <div className={styles['partHead']}>
        <h2>{title}</h2>
        <CopyButton what={what} text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  )
}

/** The signature of the body under the secret, computed in the browser; empty without a secret. */
function useSignature(body: string, secret: string): string {
  const [computed, setComputed] = useState({ of: '', signature: '' })
  const of = `${secret}\n${body}`
  useEffect(() => {
    if (secret === '') return
    let current = true
    void signatureOf(body, secret).then((signature) => {
      if (current) setComputed({ of, signature })
    })
    return () => {
      current = false
    }
  }, [body, secret, of])
  return secret !== '' && computed.of === of ? computed.signature : ''
}
