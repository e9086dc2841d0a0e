import { zodResolver } from '@hookform/resolvers/zod'
import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { explain } from '../../lib/explain.ts'
import { showFieldProblems } from '../../lib/form-problems.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { LeaveWarning } from '../../ui/leave-warning.tsx'
import { MobileFields } from '../../ui/mobile-fields.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { toast } from '../../ui/toast.ts'
import { useConnectNumber } from './api.ts'
import { type NewNumberForm, newNumberFormSchema, newNumberOf } from './number-form.ts'

const empty: NewNumberForm = {
  displayName: '',
  country: 'IN',
  number: '',
  phoneNumberId: '',
  businessAccountId: '',
  accessToken: '',
}
const fields = {
  displayName: 'displayName',
  phoneNumber: 'number',
  phoneNumberId: 'phoneNumberId',
  businessAccountId: 'businessAccountId',
  accessToken: 'accessToken',
} as const

/** The Add New Number form. */
export function NewNumberDialog({
  open,
  onClose,
  onPending,
}: {
  open: boolean
  onClose: () => void
  /** Called when it is connected, and not everything is proven: the check list says what is left to do. */
  onPending: (number: WhatsAppNumber) => void
}) {
  const form = useForm<NewNumberForm>({ resolver: zodResolver(newNumberFormSchema), defaultValues: empty })
  const { control, handleSubmit, setError, reset, formState } = form
  const connect = useConnectNumber()

  const submit = handleSubmit(async (values) => {
    try {
      const number = await connect.mutateAsync(newNumberOf(values))
      const isPending = number.status === 'pending'
      if (isPending) onPending(number)
      else onClose()
      const rest = isPending ? ' It is pending until WhatsApp has verified it.' : ''
      toast.success(`${number.displayName} is connected.${rest}`)
    } catch (error) {
      if (!showFieldProblems(error, fields, setError))
        toast.error(explain(error, 'The number could not be connected. Nothing was saved. Try again.'))
    }
  })

  return (
    <>
      <FormDialog
        open={open}
        title="Add New Number"
        lead="You find these in Meta's WhatsApp Manager, under API Setup."
        submitLabel="Connect Number"
        pending={formState.isSubmitting}
        onSubmit={submit}
        onClose={onClose}
        onClosed={() => reset(empty)}
      >
        <Field control={control} name="displayName" label="Display Name" hint="What customers see as the sender.">
          {(field) => <Input {...field} autoComplete="off" maxLength={60} dir="auto" />}
        </Field>
        <MobileFields form={form} label="Phone Number" autoComplete="off" />
        <Field control={control} name="phoneNumberId" label="Phone Number ID">
          {(field) => <Input {...field} inputMode="numeric" autoComplete="off" maxLength={32} />}
        </Field>
        <Field control={control} name="businessAccountId" label="Business Account ID">
          {(field) => <Input {...field} inputMode="numeric" autoComplete="off" maxLength={32} />}
        </Field>
        <Field
          control={control}
          name="accessToken"
          label="Access Token"
          hint="It is encrypted and stored securely, and never shown again."
        >
          {(field) => <SecretInput {...field} what="access token" autoComplete="off" maxLength={512} />}
        </Field>
      </FormDialog>
      {open && (
        <LeaveWarning active={formState.isDirty && !formState.isSubmitting} what="the new number" parameter="new" />
      )}
    </>
  )
}
