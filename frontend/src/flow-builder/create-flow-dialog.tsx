import { zodResolver } from '@hookform/resolvers/zod'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { Input, Radio } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { explain } from '../lib/explain.ts'
import { useNavigate } from '../lib/navigation.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'
import { starterFlows } from './starter-flows.ts'

/** Kind of flow that is created, and the call that creates it. */
export interface FlowCreation {
  readonly nameSchema: z.ZodType<string, string>
  readonly sample: { readonly flow: DraftFlow; readonly label: string }
  readonly create: {
    readonly isPending: boolean
    readonly mutate: (
      input: { name: string; draft: DraftFlow },
      then: { onSuccess: (created: { id: string }) => void; onError: (error: Error) => void },
    ) => void
  }
}

/** Names a new bot or workflow and says what its flow begins with; its builder opens then. */
export function CreateFlowDialog({
  what,
  creation: { nameSchema, sample, create },
  open,
  onClose,
}: {
  /** Kind of flow, and the parameter of the address that opens the builder. */
  what: 'bot' | 'workflow'
  creation: FlowCreation
  open: boolean
  onClose: () => void
}) {
  const navigate = useNavigate()
  const schema = z.object({ name: nameSchema, start: z.enum(['sample', 'blank']) })
  const { control, handleSubmit, reset } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { name: '', start: 'sample' },
  })
  const submit = handleSubmit(({ name, start }) =>
    create.mutate(
      { name, draft: start === 'sample' ? sample.flow : starterFlows.blank },
      {
        onSuccess: ({ id }) => void navigate(`?${what}=${id}`, { replace: true }),
        onError: (error) => toast.error(explain(error, `The ${what} could not be created.`)),
      },
    ),
  )
  const title = what === 'bot' ? 'Create Bot' : 'Create Workflow'
  return (
    <FormDialog
      open={open}
      title={title}
      lead={`A new ${what} is paused until you start it.`}
      submitLabel={title}
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
              { value: 'sample', label: sample.label },
              { value: 'blank', label: 'Blank canvas' },
            ]}
          />
        )}
      </Field>
    </FormDialog>
  )
}
