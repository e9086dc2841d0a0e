import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { writtenPhone } from '@parley/phone'
import { offerApproval } from '../../lib/approvals.ts'
import { explain } from '../../lib/explain.ts'
import { useLast } from '../../lib/use-last.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useRemoveNumber } from './api.ts'

/** Asks before a number goes, and says what stays. */
export function DeleteDialog({ number, onClose }: { number: WhatsAppNumber | undefined; onClose: () => void }) {
  const shown = useLast(number)
  const remove = useRemoveNumber()
  if (!shown) return null
  async function confirm({ id, displayName }: WhatsAppNumber) {
    try {
      await remove.mutateAsync(id)
      onClose()
      toast.success(`${displayName} is deleted.`)
    } catch (error) {
      if (offerApproval(error, { kind: 'number_removal', numberId: id })) return onClose()
      toast.error(explain(error, 'The number could not be deleted. Try again.'))
    }
  }
  return (
    <ConfirmDialog
      open={number !== undefined}
      title={`Delete ${shown.displayName}?`}
      confirmLabel="Delete Number"
      pending={remove.isPending}
      onConfirm={() => void confirm(shown)}
      onClose={onClose}
    >
      {writtenPhone(shown.phoneNumber)} will be disconnected and its access token deleted. Its conversations can still
      be read, but no one can reply until you connect the number again.
      {shown.isDefault && ' Another of your numbers will become the default.'}
    </ConfirmDialog>
  )
}
