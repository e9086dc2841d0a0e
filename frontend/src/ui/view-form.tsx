import { type NewView, type View, viewsApi } from '@parley/contracts/inbox/views'
import { Button, Checkbox, Input } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { ApiError } from '../lib/api.ts'
import { useSaveView } from '../lib/choices/views.ts'
import { explain } from '../lib/explain.ts'
import { staleRecord } from '../lib/stale-record.ts'
import { toast } from './toast.ts'
import styles from './views-list.module.css'

/** Names what the list shows now, or changes a view. */
export function ViewForm({
  view,
  now,
  isShown,
  mayShare,
  onSaved,
  onCancel,
}: {
  view: View | undefined
  now: Pick<NewView, 'screen' | 'query'>
  /** The list shows what the view shows. */
  isShown: boolean
  mayShare: boolean
  onSaved: (view: View) => void
  onCancel: () => void
}) {
  const id = useId()
  const save = useSaveView()
  const [seen, setSeen] = useState(view)
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [replaces, setReplaces] = useState(false)
  const [problem, setProblem] = useState<string>()

  function refuse(message: string) {
    setProblem(message)
    document.getElementById(id)?.focus()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    const typed = name.trim()
    if (typed === '') return refuse('Enter a name')
    const { screen, query } = seen && !replaces ? seen : now
    save.mutate(
      { of: seen, view: { name: typed, shared, screen, query } as NewView },
      {
        onSuccess: onSaved,
        onError: (error) => {
          const current = staleRecord(error, viewsApi.update)
          if (current) {
            setSeen(current)
            return refuse('Someone else has changed this view. Save again to replace their change.')
          }
          const message = error instanceof ApiError ? error.body.fields?.['name'] : undefined
          if (message) return refuse(message)
          toast.error(explain(error, 'The view could not be saved. Try again.'))
        },
      },
    )
  }

  return (
    <form className={styles['form']} noValidate onSubmit={submit} aria-label={view ? 'Change view' : 'Save this view'}>
      <div className={styles['field']}>
        <label htmlFor={id}>Name of the view</label>
        <Input
          id={id}
          value={name}
          maxLength={60}
          dir="auto"
          autoFocus
          autoComplete="off"
          onChange={({ target }) => {
            setName(target.value)
            setProblem(undefined)
          }}
          {...(problem && { status: 'error' as const, 'aria-invalid': true, 'aria-describedby': `${id}-problem` })}
        />
        {problem && (
          <p id={`${id}-problem`} role="alert" className={styles['problem']}>
            {problem}
          </p>
        )}
      </div>
      {mayShare && (
        <Checkbox checked={shared} onChange={({ target }) => setShared(target.checked)}>
          For everyone in this workspace
        </Checkbox>
      )}
      {view && !isShown && (
        <Checkbox checked={replaces} onChange={({ target }) => setReplaces(target.checked)}>
          Update it to match the current list
        </Checkbox>
      )}
      <div className={styles['buttons']}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
