import type { Webhook } from '@parley/contracts/platform/webhooks'
import { explain } from '../../lib/explain.ts'
import { useLast } from '../../lib/use-last.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useRemoveWebhook } from './api.ts'

/** Asks before a webhook goes, by its name. */
export function DeleteDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const shown = useLast(webhook)
  const remove = useRemoveWebhook()
  if (!shown) return null
  async function confirm({ id, name }: Webhook) {
    try {
      await remove.mutateAsync(id)
      onClose()
      toast.success(`${name} is deleted.`)
    } catch (error) {
      toast.error(explain(error, 'The webhook could not be deleted. Try again.'))
    }
  }
  return (
    <ConfirmDialog
      open={webhook !== undefined}
      title={`Delete ${shown.name}?`}
      confirmLabel="Delete Webhook"
      pending={remove.isPending}
      onConfirm={() => void confirm(shown)}
      onClose={onClose}
    >
      Nothing more will be sent to {shown.url}. Its secret and delivery log will be deleted.
    </ConfirmDialog>
  )
}
