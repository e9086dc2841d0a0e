import { useLast } from '../../lib/use-last.ts'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { VerifySnippets } from './verify-snippets.tsx'
import type { NewKey } from './webhook-dialog.tsx'

/** Shows a signing key, the only time; and how a receiver checks by it. */
export function KeyDialog({ made, onClose }: { made: NewKey | undefined; onClose: () => void }) {
  const shown = useLast(made)
  if (!shown) return null
  return (
    <SecretDialog
      open={made !== undefined}
      width={640}
      title={`Signing key of ${shown.name}`}
      what="signing key"
      secret={shown.signingKey}
      onClose={onClose}
    >
      <VerifySnippets />
    </SecretDialog>
  )
}
