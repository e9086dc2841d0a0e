import { zodResolver } from '@hookform/resolvers/zod'
import { botsApi } from '@parley/contracts/bots'
import { Input, Radio } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { explain } from '../../lib/explain.ts'
import { useGo } from '../../lib/navigation.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useCreateBot } from './api.ts'

const formSchema = z.object({ name: botsApi.create.body.shape.name, start: z.enum(['sample', 'blank']) })
type Form = z.infer<typeof formSchema>

/** Names a new bot and says what its flow begins with; its builder opens then. */
export function CreateBotDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const go = useGo()
  const create = useCreateBot()
  const { control, handleSubmit, reset } = useForm<Form>({
    resolver: zodResolver(formSchema),
    defaultValues: { name: '', start: 'sample' },
  })
  const submit = handleSubmit(({ name, start }) =>
    create.mutate(
      { name, draft: starterFlows[start] },
      {
        onSuccess: ({ id }) => void go(`?bot=${id}`, { replace: true }),
        onError: (error) => toast.error(explain(error, 'The bot could not be created.')),
      },
    ),
  )
  return (
    <FormDialog
      open={open}
      title="Create Bot"
      lead="A new bot is paused until you start it."
      submitLabel="Create Bot"
      pending={create.isPending}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset()}
    >
      <Field control={control} name="name" label="Name">
        {(field) => <Input {...field} maxLength={80} autoFocus autoComplete="off" dir="auto" />}
      </Field>
      <Field control={control} name="start" label="Start from">
        {({ value, onChange, id }) => (
          <Radio.Group
            id={id}
            aria-label="Start from"
            value={value}
            onChange={onChange}
            vertical
            options={[
              { value: 'sample', label: 'Sample flow: keyword match, message, business-hours check' },
              { value: 'blank', label: 'Blank canvas' },
            ]}
          />
        )}
      </Field>
    </FormDialog>
  )
}
