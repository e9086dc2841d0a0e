import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { workflowStarts } from '@parley/contracts/automation/triggers'
import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import { conditionGroupSchema } from '@parley/contracts/contacts/conditions'
import { contactFields, eventFields } from '@parley/flow/workflow-events'
import { AutoComplete, Button, Input, Select } from 'antd'
import { type Control, useController, useWatch } from 'react-hook-form'
import { IconButton } from '../ui/icon-button.tsx'
import { useChoices } from './builder-context.ts'
import { useValueChoices } from './filter-values.ts'
import styles from './inspector.module.css'
import { comparisonNames, withoutValue } from './labels.ts'
import type { NodeFormValues } from './node-form-values.ts'

const comparisonOptions = (Object.keys(comparisonNames) as Condition['comparison'][]).map((value) => ({
  value,
  label: comparisonNames[value],
}))
const empty: ConditionGroup = { match: 'all', conditions: [] }
const isGroup = (entry: Condition | ConditionGroup): entry is ConditionGroup => 'conditions' in entry

/**
 * Edits which contacts an event counts for: conditions of which all, or any, must hold. Groups inside it are kept as they are.
 */
export function FilterSetting({ control }: { control: Control<NodeFormValues> }) {
  const fields = useFields(control)
  const { field } = useController({ control, name: 'settings.filter' })
  const read = conditionGroupSchema.safeParse(field.value)
  // An incomplete condition is not stored: meanwhile the form has the current state.
  const group = read.success ? read.data : isDraftGroup(field.value) ? field.value : empty
  const set = (conditions: ConditionGroup['conditions'], match = group.match) =>
    field.onChange(conditions.length === 0 ? undefined : { match, conditions })
  return (
    <fieldset className={styles['choices']}>
      <legend>Only if (optional)</legend>
      {group.conditions.length > 1 && (
        <Select
          aria-label="How the conditions are combined"
          value={group.match}
          options={[
            { value: 'all' as const, label: 'All conditions are met' },
            { value: 'any' as const, label: 'Any condition is met' },
          ]}
          onChange={(match) => set(group.conditions, match)}
        />
      )}
      {group.conditions.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place.
        <div key={index} className={styles['choice']}>
          {isGroup(entry) ? (
            <span>A group of {entry.conditions.length} conditions</span>
          ) : (
            <ConditionFields
              condition={entry}
              fields={fields}
              number={index + 1}
              onChange={(patch) =>
                set(
                  group.conditions.map((other, otherIndex) => (otherIndex === index ? { ...entry, ...patch } : other)),
                )
              }
            />
          )}
          <IconButton
            label={`Remove condition ${index + 1}`}
            onClick={() => set(group.conditions.filter((_, otherIndex) => otherIndex !== index))}
          >
            <DeleteOutlined aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button
        icon={<PlusOutlined aria-hidden />}
        disabled={group.conditions.length >= 50}
        onClick={() =>
          set([...group.conditions, { field: fields[0]?.value ?? 'tags', comparison: 'equals', value: '' }])
        }
      >
        Add condition
      </Button>
    </fieldset>
  )
}

/** Returns the fields that conditions of the chosen event can name. */
function useFields(control: Control<NodeFormValues>): readonly { value: string }[] {
  const { attributes } = useChoices()
  const { event: chosen, kind } = useWatch({ control, name: 'settings' })
  const event = workflowStarts.find((name) => name === (kind === 'event' ? chosen : kind))
  const names = attributes.map(({ name }) => `attributes.${name}`)
  return [...(event ? eventFields[event] : []), ...contactFields, ...names].map((value) => ({ value }))
}

const isDraftGroup = (value: unknown): value is ConditionGroup =>
  typeof value === 'object' && value !== null && 'conditions' in value && Array.isArray(value.conditions)

function ConditionFields({
  condition: { field, comparison, value },
  fields,
  number,
  onChange,
}: {
  condition: Condition
  fields: readonly { value: string }[]
  number: number
  onChange: (patch: Partial<Condition>) => void
}) {
  const choices = useValueChoices({ field, comparison })
  const text = String(value ?? '')
  return (
    <div className={styles['labelled']}>
      <AutoComplete
        aria-label={`Field of condition ${number}`}
        value={field}
        options={[...fields]}
        onChange={(name: string) => onChange({ field: name.slice(0, 80) })}
      />
      <Select
        aria-label={`Comparison of condition ${number}`}
        value={comparison}
        options={comparisonOptions}
        onChange={(next) => onChange({ comparison: next })}
      />
      {withoutValue.has(comparison) ? null : choices ? (
        <Select
          aria-label={`Value of condition ${number}`}
          value={text || null}
          placeholder="Choose"
          showSearch={{ optionFilterProp: 'label' }}
          popupMatchSelectWidth={false}
          options={[...choices]}
          onChange={(next: string) => onChange({ value: next })}
        />
      ) : (
        <Input
          aria-label={`Value of condition ${number}`}
          value={text}
          maxLength={200}
          dir="auto"
          onChange={({ target }) => onChange({ value: target.value })}
        />
      )}
    </div>
  )
}
