import { zodResolver } from '@hookform/resolvers/zod'
import type { Connection } from '@parley/contracts/automation/connections'
import { httpRequestFields } from '@parley/contracts/automation/http-request'
import { Input } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { explain } from '../../../lib/explain.ts'
import { useLast } from '../../../lib/use-last.ts'
import { useOpening } from '../../../lib/use-opening.ts'
import { callLine, useTestCall } from '../../../lib/use-test-call.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import styles from './connections.module.css'

const formSchema = z.object({ path: httpRequestFields.path })

/** Reads one address by a connection, which a person asks for. */
export function TestConnectionDialog({
  connection,
  onClose,
}: {
  /** Absent while it is closed. */
  readonly connection: Connection | undefined
  readonly onClose: () => void
}) {
  const opening = useOpening(connection !== undefined)
  const shown = useLast(connection)
  return shown ? (
    <Dialog key={`${shown.id} ${opening}`} open={connection !== undefined} connection={shown} onClose={onClose} />
  ) : null
}

function Dialog({ open, connection, onClose }: { open: boolean; connection: Connection; onClose: () => void }) {
  const { control, handleSubmit } = useForm({ resolver: zodResolver(formSchema), defaultValues: { path: '/' } })
  const test = useTestCall()
  const { result, error } = test
  return (
    <FormDialog
      open={open}
      width={600}
      title={`Test ${connection.name}`}
      lead="Parley makes one real GET request now, with the stored secret."
      submitLabel="Test Connection"
      pending={test.isPending}
      onSubmit={handleSubmit(({ path }) => test.start({ connectionId: connection.id, method: 'GET', path }))}
      onClose={onClose}
    >
      <Field control={control} name="path" label="Path" hint={`Follows ${connection.baseUrl}`}>
        {(field) => <Input {...field} autoComplete="off" maxLength={2000} />}
      </Field>
      <div role="status" className={styles['result']}>
        {result && <p>{callLine(result)}</p>}
        {error && <p>{explain(error, 'The test could not be made. Try again.')}</p>}
      </div>
      {result?.answer ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
        <pre className={styles['answer']} tabIndex={0}>
          {result.answer}
        </pre>
      ) : null}
    </FormDialog>
  )
}
