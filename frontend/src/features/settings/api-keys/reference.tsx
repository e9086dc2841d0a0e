import { Tabs } from 'antd'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { SettingsCard } from '../settings-card.tsx'
import styles from './api-keys.module.css'

const curlOf = (origin: string) => `curl ${origin}/v1/messages \\
  -H "Authorization: Bearer $PARLEY_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-1042" \\
  -d '{"to": "+919876543210", "text": "Your order is on its way."}'`

/** Each with the published library of Standard Webhooks: a comparison of one's own is easily wrong. */
const checks = {
  'Node.js': `import { Webhook } from 'standardwebhooks'

// body: the received text, before it is parsed
const event = new Webhook(process.env.PARLEY_WEBHOOK_SECRET).verify(body, headers)`,
  Python: `import os
from standardwebhooks.webhooks import Webhook

# body: the received text, before it is parsed
event = Webhook(os.environ["PARLEY_WEBHOOK_SECRET"]).verify(body, headers)`,
  Go: `import standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

wh, err := standardwebhooks.NewWebhook(os.Getenv("PARLEY_WEBHOOK_SECRET"))
if err == nil {
    err = wh.Verify(body, r.Header) // body: the received bytes
}`,
} as const

/** First steps: the reference, a first call, and the check of a webhook's signature. */
export function Reference() {
  const { origin } = window.location
  return (
    <SettingsCard title="Use the API" lead="Send a message with one call. Everything else is in the reference.">
      <div className={styles['reference']}>
        <Snippet what="curl example" text={curlOf(origin)} />
        <p>
          <a href="/v1/docs">API reference</a> · <a href="/v1/openapi.json">OpenAPI document</a> ·{' '}
          <a href="/llms.txt">llms.txt</a>
        </p>
        <p>
          Assistants use the same key at the MCP server <code>{origin}/v1/mcp</code>.
        </p>
        <h3>Check the signature of a webhook</h3>
        <Tabs
          size="small"
          tabBarGutter={24}
          items={Object.entries(checks).map(([language, text]) => ({
            key: language,
            label: language,
            children: <Snippet what={`${language} example`} text={text} />,
          }))}
        />
      </div>
    </SettingsCard>
  )
}

const Snippet = ({ what, text }: { what: string; text: string }) => (
  <div className={styles['snippet']}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may be wider than the window, and the keyboard must scroll it. */}
    <pre tabIndex={0}>{text}</pre>
    <CopyButton what={what} text={text} />
  </div>
)
