import { zodResolver } from '@hookform/resolvers/zod'
import { maxWorkspaceName, workspaceApi } from '@parley/contracts/account/workspace'
import { Button, Input } from 'antd'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { useChange } from '../../lib/use-change.ts'
import { goToWorkspace } from '../../lib/workspace.ts'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'

/** Creates another workspace of the person, and goes there. */
export function AnotherWorkspaceCard() {
  const { control, handleSubmit } = useForm({
    resolver: zodResolver(workspaceApi.create.body),
    defaultValues: { name: '' },
  })
  const create = useChange({
    run: async ({ name }: { name: string }, intent) => {
      const { id } = await call(workspaceApi.create, { body: { name }, ...intent })
      await goToWorkspace(id)
    },
    onError: (error) => toast.error(explain(error, 'The workspace could not be created. Try again.')),
  })
  const submit = handleSubmit((values) => create.mutateAsync(values).catch(() => undefined))
  return (
    <SettingsCard
      title="Another Workspace"
      lead="For another business: with its own numbers, contacts, members and plan. It begins without a trial. You change between workspaces at their name in the sidebar."
    >
      <form className={styles['form']} onSubmit={submit} noValidate>
        <Field control={control} name="name" label="Name of the Business">
          {(field) => <Input {...field} autoComplete="off" maxLength={maxWorkspaceName} dir="auto" />}
        </Field>
        <div className={styles['buttons']}>
          <Button htmlType="submit" loading={create.isPending}>
            Create Workspace
          </Button>
        </div>
      </form>
    </SettingsCard>
  )
}
