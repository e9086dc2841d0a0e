import { zodResolver } from '@hookform/resolvers/zod'
import { workflowsApi } from '@parley/contracts/workflows'
import { Input, Radio } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { explain } from '../../lib/explain.ts'
import { useGo } from '../../lib/navigation.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useCreateWorkflow } from './api.ts'

const formSchema = z.object({ name: workflowsApi.create.body.shape.name, start: z.enum(['workflow', 'blank']) })
type Form = z.infer<typeof formSchema>

/** Names a new workflow and says what its flow begins with; its builder opens then. */
export function CreateWorkflowDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const go = useGo()
  const create = useCreateWorkflow()
  const { control, handleSubmit, reset } = useForm<Form>({
    resolver: zodResolver(formSchema),
    defaultValues: { name: '', start: 'workflow' },
  })
  const submit = handleSubmit(({ name, start }) =>
    create.mutate(
      { name, draft: starterFlows[start] },
      {
        onSuccess: ({ id }) => void go(`?workflow=${id}`, { replace: true }),
        onError: (error) => toast.error(explain(error, 'The workflow could not be created.')),
      },
    ),
  )
  return (
    <FormDialog
      open={open}
      title="Create Workflow"
      lead="A new workflow is paused until you start it."
      submitLabel="Create Workflow"
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
              { value: 'workflow', label: 'Sample: greet a new contact and tag it' },
              { value: 'blank', label: 'Blank canvas' },
            ]}
          />
        )}
      </Field>
    </FormDialog>
  )
}
