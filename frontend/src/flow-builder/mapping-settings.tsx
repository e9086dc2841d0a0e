import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { AutoComplete, Button, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import { type Control, useController } from 'react-hook-form'
import { IconButton } from '../ui/icon-button.tsx'
import { useChoices } from './builder-context.ts'
import styles from './inspector.module.css'
import type { NodeFormValues } from './node-form-values.ts'

type FormControl = Control<NodeFormValues>

/** Edits a list of small objects in the form, each of which is changed and removed by its place. */
export function useRows<T extends object>(control: FormControl, name: 'headers' | 'mappings') {
  const { field } = useController({ control, name: `settings.${name}` })
  const rows: readonly T[] = Array.isArray(field.value) ? field.value : []
  const put = (next: readonly T[]) => field.onChange(next.length > 0 ? next : undefined)
  return {
    rows,
    add: (row: T) => put([...rows, row]),
    change: (index: number, patch: Partial<T>) =>
      put(rows.map((row, place) => (place === index ? { ...row, ...patch } : row))),
    remove: (index: number) => put(rows.filter((_, place) => place !== index)),
  }
}

export function Rows({
  legend,
  children,
  addLabel,
  isFull,
  onAdd,
}: {
  legend: string
  children: ReactNode
  addLabel: string
  isFull: boolean
  onAdd: () => void
}) {
  return (
    <fieldset className={styles['choices']}>
      <legend>{legend}</legend>
      {children}
      <Button icon={<PlusOutlined aria-hidden />} disabled={isFull} onClick={onAdd}>
        {addLabel}
      </Button>
    </fieldset>
  )
}

export const wrong = (isWrong: boolean) => isWrong && { status: 'error' as const, 'aria-invalid': true as const }

interface Mapping {
  readonly pointer: string
  readonly attribute: string
  readonly save?: 'contact' | 'session'
}

/** Edits which values of a JSON body are kept, and where. */
export function Mappings({ control, legend, most }: { control: FormControl; legend: string; most: number }) {
  const { attributes } = useChoices()
  const { rows, add, change, remove } = useRows<Mapping>(control, 'mappings')
  return (
    <Rows
      legend={legend}
      addLabel="Add field"
      isFull={rows.length >= most}
      onAdd={() => add({ pointer: '/', attribute: '', save: 'session' })}
    >
      {rows.map(({ pointer, attribute, save = 'contact' }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
        <div key={index} className={styles['choice']}>
          <Input
            aria-label={`Path of field ${index + 1}`}
            placeholder="/order/status"
            value={pointer}
            maxLength={200}
            {...wrong(!pointer.startsWith('/'))}
            onChange={({ target }) => change(index, { pointer: target.value })}
          />
          <IconButton label={`Remove field ${index + 1}`} onClick={() => remove(index)}>
            <DeleteOutlined aria-hidden />
          </IconButton>
          <AutoComplete
            aria-label={`Name of field ${index + 1}`}
            placeholder="Name"
            value={attribute}
            options={save === 'contact' ? attributes.map(({ name }) => ({ value: name })) : []}
            {...wrong(attribute.trim() === '')}
            onChange={(name: string) => change(index, { attribute: name.slice(0, 64) })}
          />
          <span />
          <Select
            aria-label={`Where field ${index + 1} is kept`}
            value={save}
            options={[
              { value: 'session', label: 'For this run, as {{session.name}}' },
              { value: 'contact', label: 'With the contact' },
            ]}
            onChange={(next) => change(index, { save: next })}
          />
        </div>
      ))}
    </Rows>
  )
}
