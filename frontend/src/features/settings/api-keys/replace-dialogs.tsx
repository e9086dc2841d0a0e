import { type ApiKey, type IssuedKey, overlapHours } from '@parley/contracts/account/api-keys'
import { Select } from 'antd'
import { useForm } from 'react-hook-form'
import { explain } from '../../../lib/explain.ts'
import { useLast } from '../../../lib/use-last.ts'
import { useOpening } from '../../../lib/use-opening.ts'
import { ConfirmDialog, FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { explainNoKey, useRevokeKey, useRotateKey } from './api-keys-api.ts'

interface Props {
  /** Absent while it is closed. */
  readonly apiKey: ApiKey | undefined
  readonly onClose: () => void
}

const overlapLabels: Record<(typeof overlapHours)[number], string> = {
  0: 'End it at once',
  1: '1 hour',
  24: '1 day',
  168: '7 days',
}

/** Makes a successor of a key, and asks how long the old one stays valid. */
export function RotateDialog(props: Props & { onIssued: (issued: IssuedKey) => void }) {
  return <RotateForm key={useOpening(props.apiKey !== undefined)} {...props} />
}

function RotateForm({ apiKey, onClose, onIssued }: Parameters<typeof RotateDialog>[0]) {
  const shown = useLast(apiKey)
  const rotate = useRotateKey()
  const { control, handleSubmit } = useForm<{ hours: (typeof overlapHours)[number] }>({ defaultValues: { hours: 24 } })
  if (!shown) return null
  const submit = handleSubmit(async ({ hours }) => {
    try {
      onIssued(await rotate.mutateAsync({ id: shown.id, overlapHours: hours }))
      onClose()
    } catch (error) {
      toast.error(explainNoKey(error, 'The key could not be rotated. It is valid as before. Try again.'))
    }
  })
  return (
    <FormDialog
      open={apiKey !== undefined}
      title={`Rotate ${shown.name}?`}
      lead="You get a new key with the same permissions. Put it into your program while the old one is still valid."
      submitLabel="Rotate Key"
      pending={rotate.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field control={control} name="hours" label="Keep the old key for">
        {(field) => (
          <Select {...field} options={overlapHours.map((hours) => ({ value: hours, label: overlapLabels[hours] }))} />
        )}
      </Field>
    </FormDialog>
  )
}

/** Asks before a key ends, by its name. */
export function RevokeDialog({ apiKey, onClose }: Props) {
  const shown = useLast(apiKey)
  const revoke = useRevokeKey()
  if (!shown) return null
  const confirm = async () => {
    try {
      await revoke.mutateAsync(shown.id)
      onClose()
      toast.success(`${shown.name} is revoked.`)
    } catch (error) {
      toast.error(explain(error, 'The key could not be revoked: it is still valid. Try again.'))
    }
  }
  return (
    <ConfirmDialog
      open={apiKey !== undefined}
      title={`Revoke ${shown.name}?`}
      confirmLabel="Revoke Key"
      danger
      pending={revoke.isPending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      Programs that use it are refused from now on. This cannot be undone.
    </ConfirmDialog>
  )
}
