import { Segmented } from 'antd'
import { useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './webhooks.module.css'

const snippets = {
  'Node.js': `import { Webhook } from 'standardwebhooks' // npm install standardwebhooks

// body: the request's bytes as text, before any parsing
const event = new Webhook(process.env.PARLEY_SIGNING_KEY).verify(body, request.headers)`,
  Python: `from standardwebhooks import Webhook  # pip install standardwebhooks

event = Webhook(os.environ["PARLEY_SIGNING_KEY"]).verify(body, dict(request.headers))`,
  PHP: `[$id, $time, $signatures] = [$headers['webhook-id'], $headers['webhook-timestamp'], $headers['webhook-signature']];
$key = base64_decode(substr(getenv('PARLEY_SIGNING_KEY'), strlen('whsec_')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
$valid = abs(time() - (int) $time) <= 300
  && array_filter(explode(' ', $signatures), fn ($given) => hash_equals($expected, $given));`,
} as const
type Language = keyof typeof snippets
const languages = Object.keys(snippets) as Language[]

/** Code by which a receiver checks a signature, in three languages. */
export function VerifySnippets() {
  const [language, setLanguage] = useState<Language>('Node.js')
  return (
    <section className={styles['part']}>
      <div className={styles['partHead']}>
        <h2>Check it in your receiver</h2>
        <CopyButton what={`${language} example`} text={snippets[language]} />
      </div>
      <Segmented aria-label="Language" options={languages} value={language} onChange={setLanguage} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{snippets[language]}</pre>
    </section>
  )
}
