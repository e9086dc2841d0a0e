import { assigneeSchema } from '@parley/contracts/automation/bot-settings'
import { offerEnd, offerEndsKey } from '@parley/contracts/templates/template-offers'
import { Input, Select } from 'antd'
import { useState } from 'react'
import { type Control, useController, useWatch } from 'react-hook-form'
import { Field } from '../ui/field.tsx'
import { OfferEndInput } from '../ui/variable-input.tsx'
import { useChoices } from './builder-context.ts'
import styles from './inspector.module.css'
import type { NodeFormValues } from './node-form-values.ts'
import { SelectSetting, SwitchSetting, TextSetting } from './setting-fields.tsx'

type FormControl = Control<NodeFormValues>

const wordsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

export function KeywordSettings({ control }: { control: FormControl }) {
  return (
    <>
      <Field control={control} name="settings.keywords" label="Keywords" hint="Press Enter after each.">
        {({ value, onChange, ...field }) => (
          <Select
            {...field}
            mode="tags"
            open={false}
            suffixIcon={null}
            maxCount={50}
            tokenSeparators={[',']}
            value={wordsOf(value)}
            onChange={(words: string[]) => onChange(words.map((word) => word.trim().slice(0, 60)).filter(Boolean))}
          />
        )}
      </Field>
      <SelectSetting
        control={control}
        name="match"
        label="Keyword matching"
        options={[
          { value: 'word', label: 'Message contains the keyword' },
          { value: 'exact', label: 'Message is exactly the keyword' },
          { value: 'starts_with', label: 'Message starts with the keyword' },
          { value: 'text', label: 'Keyword anywhere, also within words' },
        ]}
      />
      <SwitchSetting
        control={control}
        name="interrupts"
        label="Also while a bot asks something"
        hint="Ends that session and starts this one."
      />
    </>
  )
}

export function TemplateSettings({ control }: { control: FormControl }) {
  const { templates } = useChoices()
  const chosen = useWatch({ control, name: 'settings.templateId' })
  const { field } = useController({ control, name: 'settings.variables' })
  const values: Record<string, unknown> =
    typeof field.value === 'object' && field.value !== null ? { ...field.value } : {}
  const placeholders = templates.find(({ id }) => id === chosen)?.placeholders ?? Object.keys(values)
  return (
    <>
      {templates.length > 0 ? (
        <SelectSetting
          control={control}
          name="templateId"
          label="Template"
          placeholder="Choose a template"
          options={templates.map(({ id, name, reason }) => ({ value: id, label: name, reason }))}
        />
      ) : (
        <TextSetting control={control} name="templateId" label="Template" hint="The template’s id." maxLength={64} />
      )}
      {placeholders.length > 0 && (
        <fieldset className={styles['choices']}>
          <legend>Variables</legend>
          {placeholders.map((name) => {
            const value = String(values[name] ?? '')
            const change = (to: string) => field.onChange({ ...values, [name]: to })
            if (name === offerEndsKey) return <OfferEnds key={name} value={value} onChange={change} />
            return (
              <div key={name} className={styles['labelled']}>
                <span aria-hidden="true">{`{{${name}}}`}</span>
                <Input
                  aria-label={`{{${name}}}`}
                  value={value}
                  maxLength={200}
                  dir="auto"
                  onChange={({ target }) => change(target.value)}
                />
              </div>
            )
          })}
        </fieldset>
      )}
    </>
  )
}

/** Edits the end of an offer: a moment, or a variable that holds one. */
function OfferEnds({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const isRead = value === '' || offerEnd(value) !== undefined
  const [isVariable, setVariable] = useState(!isRead)
  return (
    <div className={styles['labelled']}>
      <span aria-hidden="true">Offer ends</span>
      <Select
        aria-label="How the end of the offer is given"
        value={isVariable ? 'variable' : 'time'}
        options={[
          { value: 'time', label: 'At a time' },
          { value: 'variable', label: 'At the time in a variable' },
        ]}
        onChange={(to) => {
          setVariable(to === 'variable')
          onChange('')
        }}
      />
      {isVariable ? (
        <Input
          aria-label="Offer ends"
          value={value}
          maxLength={200}
          placeholder="{{session.offer_ends}}"
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <OfferEndInput aria-label="Offer ends" value={value} onChange={onChange} />
      )}
      <span className={styles['hint']}>
        {isVariable ? 'A date and time with its zone, such as 2026-12-24T18:00:00+05:30.' : 'By your own clock.'}
      </span>
    </div>
  )
}

/** Selects who answers: a member of the team or the queue; a member chosen already stays in the list after leaving the team. */
export function AssignSetting({ control }: { control: FormControl }) {
  const { members } = useChoices()
  return (
    <>
      <Field control={control} name="settings.to" label="Assign to">
        {({ value, onChange, ...field }) => {
          const to = assigneeSchema.safeParse(value).data
          const chosen = to?.kind === 'member' ? to.memberId : 'queue'
          const former = chosen === 'queue' || members.some(({ id }) => id === chosen) ? [] : [chosen]
          return (
            <Select
              {...field}
              value={chosen}
              options={[
                { value: 'queue', label: 'The queue' },
                ...members.map(({ id, name }) => ({ value: id, label: name })),
                ...former.map((id) => ({ value: id, label: 'A former member' })),
              ]}
              showSearch={members.length > 8 ? { optionFilterProp: 'label' } : false}
              onChange={(id: string) => onChange(id === 'queue' ? { kind: 'queue' } : { kind: 'member', memberId: id })}
            />
          )
        }}
      </Field>
      <TextSetting control={control} name="note" label="Note for them" optional maxLength={1000} />
    </>
  )
}
