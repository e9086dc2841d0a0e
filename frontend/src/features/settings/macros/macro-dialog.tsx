import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { type Macro, type MacroAction, macrosApi, newMacroSchema } from '@parley/contracts/inbox/macros'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { staleRecord } from '../../../lib/stale-record.ts'
import { useLast } from '../../../lib/use-last.ts'
import { useOpening } from '../../../lib/use-opening.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { MacroActionField } from './macro-action-field.tsx'
import styles from './macros.module.css'
import { useSaveMacro } from './macros-api.ts'

interface Props {
  readonly open: boolean
  /** Absent for a new one. */
  readonly macro: Macro | undefined
  readonly onClose: () => void
}

/** Adds a macro, or changes one. */
export function MacroDialog({ open, macro, onClose }: Props) {
  const opening = useOpening(open)
  const shown = useLast(macro)
  return <Dialog key={opening} open={open} macro={open ? macro : shown} onClose={onClose} />
}

/** Actions with a key of their own, so that a field keeps its text when another one moves. */
type Keyed = { readonly key: number; readonly action: MacroAction }
type Problems = Readonly<Record<string, string>>

function Dialog({ open, macro, onClose }: Props) {
  const [base, setBase] = useState(macro)
  const [name, setName] = useState(macro?.name ?? '')
  const [actions, setActions] = useState<readonly Keyed[]>(() =>
    (macro?.actions ?? [{ kind: 'add_tag' as const, tag: '' }]).map((action, key) => ({ key, action })),
  )
  const [problems, setProblems] = useState<Problems>({})
  const save = useSaveMacro()
  const nameId = useId()
  const change = (key: number, action: MacroAction) =>
    setActions((before) => before.map((one) => (one.key === key ? { key, action } : one)))
  const move = (from: number, to: number) =>
    setActions((before) => {
      const moved = before[from]
      return moved ? before.toSpliced(from, 1).toSpliced(to, 0, moved) : before
    })
  const add = () => {
    const key = Math.max(-1, ...actions.map((one) => one.key)) + 1
    setActions([...actions, { key, action: { kind: 'note', text: '' } }])
  }

  /** Problem that the server names in an action that is as it was stored. */
  const problemOf = (action: MacroAction) =>
    macro?.problems.find(({ index }) => macro.actions[index] === action)?.message

  function submit(): void {
    const fields = newMacroSchema.safeParse({ name, actions: actions.map(({ action }) => action) })
    setProblems(fields.success ? {} : problemsOf(fields.error.issues))
    if (!fields.success) return
    save.mutate(
      { of: base, fields: fields.data },
      {
        onSuccess: () => {
          toast.success(`${fields.data.name} is saved.`)
          onClose()
        },
        onError: (error) => {
          const current = staleRecord(error, macrosApi.update)
          if (current) setBase(current)
          const message = current
            ? 'Someone else has changed this macro. Saving again replaces what they have written.'
            : explain(error, 'The macro could not be saved. Try again.')
          setProblems({ name: message })
        },
      },
    )
  }

  return (
    <FormDialog
      open={open}
      title={macro ? 'Edit Macro' : 'Create Macro'}
      submitLabel="Save Macro"
      width={560}
      pending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div>
        <label htmlFor={nameId}>Name</label>
        <Input
          id={nameId}
          dir="auto"
          maxLength={60}
          value={name}
          status={problems['name'] ? 'error' : ''}
          aria-invalid={problems['name'] !== undefined}
          aria-describedby={`${nameId}-problem`}
          onChange={({ target }) => setName(target.value)}
        />
        <p id={`${nameId}-problem`} role="alert" className={styles['problem']}>
          {problems['name']}
        </p>
      </div>
      <ol className={styles['actions']} aria-label="Actions">
        {actions.map(({ key, action }, index) => (
          <MacroActionField
            key={key}
            number={index + 1}
            action={action}
            problem={problems[`actions.${index}`] ?? problemOf(action)}
            onChange={(changed) => change(key, changed)}
            onUp={index > 0 ? () => move(index, index - 1) : undefined}
            onDown={index < actions.length - 1 ? () => move(index, index + 1) : undefined}
            onRemove={actions.length > 1 ? () => setActions(actions.filter((one) => one.key !== key)) : undefined}
          />
        ))}
      </ol>
      {problems['actions'] && (
        <p role="alert" className={styles['problem']}>
          {problems['actions']}
        </p>
      )}
      <Button icon={<PlusOutlined aria-hidden />} onClick={add}>
        Add action
      </Button>
    </FormDialog>
  )
}

/** The first problem of each field; those of an action stand at the action. */
function problemsOf(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): Problems {
  const found: Record<string, string> = {}
  for (const { path, message } of issues) {
    const place = path.slice(0, path[0] === 'actions' ? 2 : 1).join('.')
    found[place] ??= message
  }
  return found
}
