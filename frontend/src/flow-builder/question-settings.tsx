import { type AnswerKind, defaultTries } from '@parley/contracts/automation/flow'
import { type Control, useWatch } from 'react-hook-form'
import { useChoices } from './builder-context.ts'
import type { NodeFormValues } from './node-form-values.ts'
import { DurationSetting, NumberSetting, SelectSetting, SuggestSetting, TextSetting } from './setting-fields.tsx'

type FormControl = Control<NodeFormValues>

const answerNames: Readonly<Record<AnswerKind, string>> = {
  text: 'Text',
  number: 'A number',
  email: 'An e-mail address',
  phone: 'A phone number',
  date: 'A date',
  location: 'A location',
  media: 'A picture, film or document',
  any: 'Anything',
}

/** A field of contacts: one that is defined, or a new one. */
export function AttributeSetting({ control, label = 'Attribute' }: { control: FormControl; label?: string }) {
  const { attributes } = useChoices()
  return (
    <SuggestSetting
      control={control}
      name="attribute"
      label={label}
      suggestions={attributes.map(({ name }) => name)}
      maxLength={64}
    />
  )
}

/** Settings of the answer that a question expects, and of the field that stores it. */
export function AskSettings({ control }: { control: FormControl }) {
  const expects = useWatch({ control, name: 'settings.expects' })
  const save = useWatch({ control, name: 'settings.save' })
  return (
    <>
      <SelectSetting
        control={control}
        name="expects"
        label="Expects"
        fallback="text"
        options={Object.entries(answerNames).map(([value, name]) => ({ value, label: name }))}
      />
      {save === 'session' ? (
        <TextSetting
          control={control}
          name="attribute"
          label="Save the answer as"
          hint="Later steps use it as {{session.name}}."
          maxLength={64}
        />
      ) : (
        <AttributeSetting control={control} label="Save the answer as" />
      )}
      <SelectSetting
        control={control}
        name="save"
        label="Keep it"
        fallback="contact"
        options={[
          { value: 'contact', label: 'With the contact' },
          { value: 'session', label: 'Until the conversation with the bot ends' },
        ]}
      />
      {expects !== undefined && expects !== 'any' && (
        <TextSetting
          control={control}
          name="invalidText"
          label="If the answer does not fit, say"
          optional
          maxLength={1024}
        />
      )}
      <PatienceSettings control={control} />
    </>
  )
}

/** Settings of the tries and the deadline of a question. */
export function PatienceSettings({ control }: { control: FormControl }) {
  return (
    <>
      <NumberSetting control={control} name="tries" label="Tries" max={5} placeholder={String(defaultTries)} optional />
      <DurationSetting control={control} name="timeoutSeconds" label="Wait for the answer" optional />
    </>
  )
}
