import { AutoComplete, Input, InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { choiceOf, choiceWithReason } from '../ui/choice-reason.tsx'
import { Field } from '../ui/field.tsx'
import styles from './inspector.module.css'
import { comparisonNames, inUnits, type Unit, unitSeconds, withoutValue } from './labels.ts'
import type { NodeFormValues } from './node-form-values.ts'

/** One setting of the node in the inspector. `name` is the setting's own: `text`. */
export interface Setting {
  control: Control<NodeFormValues>
  name: string
  label: string
  hint?: string
  optional?: boolean
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The field of a setting, with what is optional about it. */
function fieldOf({ control, name, label, hint, optional }: Setting) {
  const extra = { ...(hint !== undefined && { hint }), ...(optional !== undefined && { optional }) }
  return { control, name: `settings.${name}` as const, label, ...extra }
}

export function TextSetting({ maxLength, ...setting }: Setting & { maxLength: number }) {
  return (
    <Field {...fieldOf(setting)}>
      {({ value, ...field }) => (
        <Input
          {...field}
          value={textOf(value)}
          maxLength={maxLength}
          autoComplete="off"
          dir="auto"
          // An emptied field that may be absent is absent.
          onChange={({ target }) => field.onChange(setting.optional && target.value === '' ? undefined : target.value)}
        />
      )}
    </Field>
  )
}

const variables = ['first_name', 'name', 'phone', 'last_answer'] as const

/** A message: several lines, and buttons that put a variable in. */
export function MessageSetting({ maxLength, ...setting }: Setting & { maxLength: number }) {
  return (
    <Field {...fieldOf(setting)}>
      {({ value, ...field }) => (
        <div className={styles['message']}>
          <Input.TextArea
            {...field}
            value={textOf(value)}
            autoSize={{ minRows: 3, maxRows: 10 }}
            maxLength={maxLength}
            showCount
            dir="auto"
          />
          <div className={styles['variables']}>
            <span>Insert</span>
            {variables.map((name) => (
              <button
                key={name}
                type="button"
                className={styles['variable']}
                aria-label={`Insert {{${name}}}`}
                onClick={() => field.onChange(`${textOf(value)}{{${name}}}`.slice(0, maxLength))}
              >
                {`{{${name}}}`}
              </button>
            ))}
          </div>
        </div>
      )}
    </Field>
  )
}

interface Option {
  readonly value: string
  readonly label: string
  /** Reason why it cannot be chosen. */
  readonly reason?: string | undefined
}

export function SelectSetting({
  options,
  placeholder,
  fallback,
  ...setting
}: Setting & {
  options: readonly Option[]
  placeholder?: string
  /** Value that counts where nothing is chosen. */
  fallback?: string
}) {
  return (
    <Field {...fieldOf(setting)}>
      {({ value, ref, ...field }) => (
        <Select
          {...field}
          ref={ref}
          value={textOf(value) || fallback || null}
          options={options.map(choiceOf)}
          optionRender={choiceWithReason}
          showSearch={options.length > 8 ? { optionFilterProp: 'label' } : false}
          {...(placeholder !== undefined && { placeholder })}
        />
      )}
    </Field>
  )
}

/** Free text with values in use as suggestions. */
export function SuggestSetting({
  suggestions,
  maxLength,
  ...setting
}: Setting & { suggestions: readonly string[]; maxLength: number }) {
  return (
    <Field {...fieldOf(setting)}>
      {({ value, status, ...field }) => (
        <AutoComplete
          {...field}
          {...(status && { status })}
          value={textOf(value)}
          options={suggestions
            .filter((text) => text.toLowerCase().includes(textOf(value).toLowerCase()))
            .map((text) => ({ value: text }))}
        >
          <Input maxLength={maxLength} dir="auto" />
        </AutoComplete>
      )}
    </Field>
  )
}

/** A choice that is off unless it is made. */
export function SwitchSetting(setting: Setting) {
  return (
    <Field {...fieldOf(setting)}>
      {({ value, onChange, ref: _ref, ...field }) => (
        <Switch
          {...field}
          className={styles['switch'] ?? ''}
          checked={value === true}
          onChange={(on) => onChange(on || undefined)}
        />
      )}
    </Field>
  )
}

/** A whole number; absent where the field is empty. */
export function NumberSetting({ max, placeholder, ...setting }: Setting & { max: number; placeholder: string }) {
  return (
    <Field {...fieldOf(setting)}>
      {({ value, onChange, ...field }) => (
        <InputNumber
          {...field}
          min={1}
          max={max}
          precision={0}
          placeholder={placeholder}
          value={typeof value === 'number' ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
        />
      )}
    </Field>
  )
}

/** A time span, stored in seconds, told in the unit that fits. */
export function DurationSetting(setting: Setting) {
  return (
    <Field {...fieldOf(setting)}>
      {({ value, onChange, ...field }) => (
        <Duration
          seconds={typeof value === 'number' ? value : undefined}
          onChange={onChange}
          label={setting.label}
          field={field}
        />
      )}
    </Field>
  )
}

function Duration({
  seconds,
  onChange,
  label,
  field,
}: {
  /** Absent where it is left to the bot. */
  seconds: number | undefined
  onChange: (seconds: number | undefined) => void
  label: string
  field: object
}) {
  const [unit, setUnit] = useState<Unit>(() => inUnits(seconds || 3600).unit)
  return (
    <div className={styles['duration']}>
      <InputNumber
        {...field}
        min={0}
        max={100_000}
        precision={0}
        value={seconds === undefined ? null : seconds / unitSeconds[unit]}
        onChange={(amount) => onChange(amount === null ? undefined : amount * unitSeconds[unit])}
      />
      <Select
        aria-label={`${label}: unit`}
        value={unit}
        options={(['second', 'minute', 'hour', 'day'] as const).map((value) => ({ value, label: `${value}s` }))}
        onChange={(next) => {
          if (seconds !== undefined) onChange((seconds / unitSeconds[unit]) * unitSeconds[next])
          setUnit(next)
        }}
      />
    </div>
  )
}

/** Edits a comparison and its value. */
export function ComparisonSettings({ control }: { control: Control<NodeFormValues> }) {
  const comparison = useWatch({ control, name: 'settings.comparison' })
  return (
    <>
      <SelectSetting
        control={control}
        name="comparison"
        label="Comparison"
        options={Object.entries(comparisonNames).map(([value, label]) => ({ value, label }))}
      />
      {!withoutValue.has(String(comparison)) && (
        <TextSetting control={control} name="value" label="Value" maxLength={200} />
      )}
    </>
  )
}
