import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { contactFields, problemOf, withoutValue } from '@parley/contracts/contacts/contact-fields'
import { AutoComplete, Input, Select } from 'antd'
import { useId } from 'react'
import { attributeLabel } from '../../../lib/choices/attributes.ts'
import { useTags } from '../../../lib/choices/tags.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import styles from './builder.module.css'
import { type ConditionField, conditionField } from './condition-field.ts'
import { conditionOf, type DraftCondition, withComparison, withField } from './draft.ts'

const anotherAttribute = 'attributes.'
const ownFields = Object.entries(contactFields).map(([value, { label }]) => ({ value, label }))

interface Props {
  condition: DraftCondition
  /** `2.1`: the first condition of the group that stands second. */
  position: string
  /** Defined fields. */
  attributes: readonly Attribute[]
  /** Names of the defined fields, and of others that contacts of this workspace have. */
  names: readonly string[]
  /** Problems are said once the person has asked for the conditions to be used. */
  asked: boolean
  autoFocus: boolean
  onChange: (next: DraftCondition) => void
  onRemove: () => void
}

/** Field, comparison and value of one condition. */
export function ConditionRow({ condition, position, attributes, names, asked, autoFocus, onChange, onRemove }: Props) {
  const id = useId()
  const { field, comparison } = condition
  const attribute = field.startsWith(anotherAttribute) ? field.slice(anotherAttribute.length) : undefined
  const isOther = attribute !== undefined && !names.includes(attribute)
  const problem = asked ? problemOf(conditionOf(condition)) : undefined
  const offered = conditionField(field, attributes)
  return (
    <div className={styles['row']} data-condition={condition.key}>
      <div className={styles['parts']}>
        <Select
          aria-label={`Field of condition ${position}`}
          showSearch={{ optionFilterProp: 'label' }}
          autoFocus={autoFocus}
          value={isOther ? anotherAttribute : field}
          options={[
            ...ownFields,
            ...names.map((name) => ({ value: `${anotherAttribute}${name}`, label: attributeLabel(name, attributes) })),
            { value: anotherAttribute, label: 'Another field…' },
          ]}
          onChange={(next) => onChange(withField(condition, next, attributes))}
          getPopupContainer={popupInside}
        />
        {isOther && (
          <Input
            aria-label={`Name of the field of condition ${position}`}
            placeholder="Name of the field"
            value={attribute}
            maxLength={64}
            dir="auto"
            {...(problem?.at === 'field' && { status: 'error' as const, 'aria-describedby': `${id}-problem` })}
            onChange={({ target }) => onChange({ ...condition, field: `${anotherAttribute}${target.value}` })}
          />
        )}
        <Select
          aria-label={`Comparison of condition ${position}`}
          value={comparison}
          options={[...new Set([...offered.comparisons, comparison])].map((value) => ({
            value,
            label: offered.wordOf(value),
          }))}
          onChange={(next) => onChange(withComparison(condition, next))}
          getPopupContainer={popupInside}
        />
        {!withoutValue.has(comparison) && (
          <Value
            condition={condition}
            field={offered}
            label={`Value of condition ${position}`}
            describedBy={problem?.at === 'value' ? `${id}-problem` : undefined}
            onChange={(value) => onChange({ ...condition, value })}
          />
        )}
      </div>
      <IconButton label={`Remove condition ${position}`} onClick={onRemove}>
        <DeleteOutlined aria-hidden />
      </IconButton>
      {problem && (
        <p id={`${id}-problem`} className={styles['problem']}>
          {problem.message}
        </p>
      )}
    </div>
  )
}

function Value({
  condition: { comparison, value },
  field,
  label,
  describedBy,
  onChange,
}: {
  condition: DraftCondition
  field: ConditionField
  label: string
  describedBy: string | undefined
  onChange: (value: string) => void
}) {
  const tags = useTags()
  const problem = describedBy === undefined ? {} : { status: 'error' as const, 'aria-describedby': describedBy }
  if (field.values)
    return (
      <Select
        aria-label={label}
        value={value === '' ? null : value}
        placeholder="Choose"
        options={Object.entries(field.values).map(([key, word]) => ({ value: key, label: word }))}
        onChange={onChange}
        getPopupContainer={popupInside}
        {...problem}
      />
    )
  if (field.isTag)
    return (
      <AutoComplete
        aria-label={label}
        value={value}
        placeholder="Tag"
        options={tags.map((tag) => ({ value: tag.name }))}
        showSearch={{ filterOption: (typed, option) => startsAlike(option?.value, typed) }}
        onChange={(text: string) => onChange(text.slice(0, 40))}
        getPopupContainer={popupInside}
        {...problem}
      />
    )
  const isDays = comparison === 'within_days'
  return (
    <Input
      aria-label={isDays ? `${label}, in days` : label}
      value={value}
      dir="auto"
      {...(isDays ? { inputMode: 'numeric' as const, suffix: 'days', maxLength: 4 } : { maxLength: 200 })}
      {...(field.isDate && !isDays && { type: 'date' })}
      onChange={({ target }) => onChange(target.value)}
      {...problem}
    />
  )
}

const startsAlike = (tag: string | number | null | undefined, typed: string): boolean =>
  String(tag ?? '')
    .toLowerCase()
    .includes(typed.trim().toLowerCase())
