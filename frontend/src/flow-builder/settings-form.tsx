import { type NodeKind, workflowEvents } from '@parley/contracts/flow'
import { timeZones } from '@parley/contracts/time-zones'
import { Checkbox, Input, Segmented, Select } from 'antd'
import { type Control, useController, useWatch } from 'react-hook-form'
import { Field } from '../ui/field.tsx'
import { useChoices } from './builder-context.ts'
import { ChoiceList } from './choice-list.tsx'
import { FilterSetting } from './filter-setting.tsx'
import styles from './inspector.module.css'
import type { NodeFormValues } from './node-form-values.ts'
import {
  ComparisonSettings,
  DurationSetting,
  MessageSetting,
  SelectSetting,
  SuggestSetting,
  TextSetting,
} from './setting-fields.tsx'
import { dayNames, eventNames } from './words.ts'

type FormControl = Control<NodeFormValues>

/** The settings of a node, by its kind. */
export function SettingsForm({ kind, control }: { kind: NodeKind; control: FormControl }) {
  const { bots, tags, members } = useChoices()
  const attribute = { control, name: 'attribute', label: 'Attribute', maxLength: 64 }
  switch (kind) {
    case 'any_message':
      return <p className={styles['note']}>Starts with any message, unless a keyword of this bot fits it.</p>
    case 'end':
      return (
        <p className={styles['note']}>The bot says nothing more. The customer’s next message can start it again.</p>
      )
    case 'keyword':
      return <KeywordSettings control={control} />
    case 'event':
      return (
        <>
          <SelectSetting
            control={control}
            name="event"
            label="Event"
            options={workflowEvents.map((value) => ({ value, label: eventNames[value] }))}
          />
          <FilterSetting control={control} />
        </>
      )
    case 'send_text':
      return <MessageSetting control={control} name="text" label="Message" maxLength={4096} />
    case 'send_template':
      return <TemplateSettings control={control} />
    case 'ask':
      return (
        <>
          <MessageSetting control={control} name="text" label="Question" maxLength={4096} />
          <TextSetting {...attribute} label="Save the answer as" hint="Later steps can use it in double braces." />
        </>
      )
    case 'buttons':
      return (
        <>
          <MessageSetting control={control} name="text" label="Message" maxLength={1024} />
          <ChoiceList control={control} name="choices" word="Button" most={3} titleLength={20} />
        </>
      )
    case 'list':
      return (
        <>
          <MessageSetting control={control} name="text" label="Message" maxLength={1024} />
          <TextSetting control={control} name="button" label="Text of the list’s button" maxLength={20} />
          <ChoiceList control={control} name="rows" word="Row" most={10} titleLength={24} described />
        </>
      )
    case 'set_attribute':
      return (
        <>
          <TextSetting {...attribute} />
          <TextSetting control={control} name="value" label="Value" maxLength={1000} />
        </>
      )
    case 'add_tag':
    case 'tag':
      return <SuggestSetting control={control} name="tag" label="Tag" suggestions={tags} maxLength={40} />
    case 'assign':
      return <SuggestSetting control={control} name="to" label="Assign to" suggestions={members} maxLength={120} />
    case 'http_call':
      return (
        <>
          <SelectSetting
            control={control}
            name="method"
            label="Method"
            options={['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }))}
          />
          <TextSetting control={control} name="url" label="Address" hint="Begins with https://" maxLength={2000} />
          <TextSetting control={control} name="body" label="Body" optional maxLength={10_000} />
          <TextSetting control={control} name="saveTo" label="Save the answer as" optional maxLength={64} />
        </>
      )
    case 'go_to_bot':
      return (
        <SelectSetting
          control={control}
          name="botId"
          label="Bot"
          placeholder="Choose a bot"
          options={bots.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )
    case 'business_hours':
      return <BusinessHoursSettings control={control} />
    case 'attribute':
      return (
        <>
          <TextSetting {...attribute} />
          <ComparisonSettings control={control} />
        </>
      )
    case 'last_answer':
      return <ComparisonSettings control={control} />
    case 'wait_time':
      return <DurationSetting control={control} name="seconds" label="Wait for" />
    case 'wait_reply':
      return <DurationSetting control={control} name="timeoutSeconds" label="Wait at most" />
  }
}

const wordsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

function KeywordSettings({ control }: { control: FormControl }) {
  const { field: match } = useController({ control, name: 'settings.match' })
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
      <Segmented
        block
        aria-label="How a keyword fits"
        value={match.value === 'exact' ? 'exact' : 'contains'}
        options={[
          { value: 'contains', label: 'Message contains it' },
          { value: 'exact', label: 'Message is it' },
        ]}
        onChange={match.onChange}
      />
    </>
  )
}

function TemplateSettings({ control }: { control: FormControl }) {
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
          options={templates.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : (
        <TextSetting control={control} name="templateId" label="Template" hint="The template’s id." maxLength={64} />
      )}
      {placeholders.length > 0 && (
        <fieldset className={styles['choices']}>
          <legend>Variables</legend>
          {placeholders.map((name) => (
            <div key={name} className={styles['labelled']}>
              <span aria-hidden="true">{`{{${name}}}`}</span>
              <Input
                aria-label={`{{${name}}}`}
                value={String(values[name] ?? '')}
                maxLength={200}
                dir="auto"
                onChange={({ target }) => field.onChange({ ...values, [name]: target.value })}
              />
            </div>
          ))}
        </fieldset>
      )}
    </>
  )
}

const week = [1, 2, 3, 4, 5, 6, 0] as const

function BusinessHoursSettings({ control }: { control: FormControl }) {
  const { field: days } = useController({ control, name: 'settings.days' })
  const chosen = Array.isArray(days.value) ? days.value : []
  return (
    <>
      <fieldset className={styles['choices']}>
        <legend>Days</legend>
        <div className={styles['days']}>
          {week.map((day) => (
            <Checkbox
              key={day}
              checked={chosen.includes(day)}
              onChange={({ target }) =>
                days.onChange(week.filter((one) => (one === day ? target.checked : chosen.includes(one))))
              }
            >
              {dayNames[day]}
            </Checkbox>
          ))}
        </div>
      </fieldset>
      <div className={styles['pair']}>
        <TimeSetting control={control} name="settings.from" label="From" />
        <TimeSetting control={control} name="settings.to" label="To" />
      </div>
      <SelectSetting
        control={control}
        name="timeZone"
        label="Time zone"
        options={timeZones.map(({ value, label }) => ({ value, label }))}
      />
    </>
  )
}

function TimeSetting({
  control,
  name,
  label,
}: {
  control: FormControl
  name: 'settings.from' | 'settings.to'
  label: string
}) {
  return (
    <Field control={control} name={name} label={label}>
      {({ value, ...field }) => <Input {...field} type="time" value={typeof value === 'string' ? value : ''} />}
    </Field>
  )
}
