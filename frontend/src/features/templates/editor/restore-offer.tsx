import { Alert, Button } from 'antd'
import { toast } from '../../../ui/toast.ts'
import { useRestoreTemplate } from '../api.ts'

/** The name belongs to a template that was deleted and is still at WhatsApp: it can come back. */
export function RestoreOffer({
  deleted,
  onRestored,
}: {
  deleted: { readonly id: string; readonly name: string } | undefined
  onRestored: () => void
}) {
  const restore = useRestoreTemplate()
  if (!deleted) return null
  return (
    <Alert
      type="info"
      showIcon
      role="status"
      title={`${deleted.name} was deleted here, and WhatsApp still has it.`}
      action={
        <Button
          size="small"
          loading={restore.isPending}
          onClick={() =>
            restore.mutate(deleted.id, {
              onSuccess: ({ name }) => {
                toast.success(`${name} is back`)
                onRestored()
              },
            })
          }
        >
          Restore it
        </Button>
      }
    />
  )
}
