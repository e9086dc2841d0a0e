import { Alert, Button } from 'antd'
import { useLast } from '../../lib/use-last.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { InfoDialog } from '../../ui/dialog.tsx'
import { VerifySnippets } from './verify-snippets.tsx'
import type { NewKey } from './webhook-dialog.tsx'
import styles from './webhooks.module.css'

/** Shows a signing key, the only time; and how a receiver checks by it. */
export function KeyDialog({ made, onClose }: { made: NewKey | undefined; onClose: () => void }) {
  const shown = useLast(made)
  return (
    <InfoDialog
      open={made !== undefined}
      width={640}
      title={`Signing key of ${shown?.name ?? 'webhook'}`}
      onClose={onClose}
    >
      {shown && (
        <div className={styles['test']}>
          <Alert type="warning" role="status" title="Copy the key now: it will not be shown again." />
          <p className={styles['key']}>
            <code>{shown.signingKey}</code>
            <CopyButton what="signing key" text={shown.signingKey} />
          </p>
          <VerifySnippets />
          <div>
            <Button type="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      )}
    </InfoDialog>
  )
}
