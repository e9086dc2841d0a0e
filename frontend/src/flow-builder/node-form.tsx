import { zodResolver } from '@hookform/resolvers/zod'
import { nodeKinds } from '@parley/contracts/automation/flow'
import { Input, Select } from 'antd'
import { useEffect, useId, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { Field } from '../ui/field.tsx'
import type { FlowKind } from './builder-context.ts'
import type { DraftNode } from './flow-edits.ts'
import styles from './inspector.module.css'
import { kindOf, kinds } from './kinds.ts'
import { type NodeFormValues, nodeFormSchema } from './node-form-values.ts'
import { kindsFor } from './palette-kinds.ts'
import { SettingsForm } from './settings-form.tsx'

/** The form of one node. What is typed is in the flow at once. Give it a new `key` when the node changes otherwise. */
export function NodeForm({
  what,
  node,
  onChange,
}: {
  what: FlowKind
  node: DraftNode
  /** @param isApart true for a change that is undone by itself, not with what is typed before or after. */
  onChange: (values: NodeFormValues, isApart?: boolean) => void
}) {
  const { control, subscribe, reset, getValues } = useForm<NodeFormValues>({
    resolver: zodResolver(nodeFormSchema),
    mode: 'onChange',
    defaultValues: { label: node.label, description: node.description, settings: structuredClone(node.settings) },
  })
  const report = useRef(onChange)
  useEffect(() => {
    report.current = onChange
  })
  const isReset = useRef(false)
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          if (!isReset.current) report.current(structuredClone(values))
        },
      }),
    [subscribe],
  )
  const id = useId()
  const kind = kindOf(node.settings)
  const offered = nodeKinds[node.type].filter((one) => one === kind || kindsFor(what, node.type).includes(one))
  return (
    <form className={styles['form']} onSubmit={(event) => event.preventDefault()} noValidate>
      {offered.length > 1 && (
        <div className={styles['lead']}>
          <label htmlFor={`${id}-kind`}>Kind</label>
          <Select
            id={`${id}-kind`}
            value={kind ?? null}
            options={offered.map((value) => ({ value, label: kinds[value].label }))}
            onChange={(next) => {
              if (next === null) return
              // A label that only named the kind follows it.
              const label = kind && getValues('label') === kinds[kind].label ? kinds[next].label : getValues('label')
              const values = { ...getValues(), label, settings: { kind: next, ...kinds[next].begin() } }
              isReset.current = true
              reset(values)
              isReset.current = false
              onChange(values, true)
            }}
          />
        </div>
      )}
      <Field control={control} name="label" label="Label">
        {(field) => <Input {...field} maxLength={60} autoComplete="off" dir="auto" />}
      </Field>
      {kind && <SettingsForm key={kind} kind={kind} nodeId={node.id} control={control} />}
      <Field control={control} name="description" label="Note for your team" optional>
        {(field) => <Input.TextArea {...field} autoSize={{ minRows: 1, maxRows: 4 }} maxLength={300} dir="auto" />}
      </Field>
    </form>
  )
}
