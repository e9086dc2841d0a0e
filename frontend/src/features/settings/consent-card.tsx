import { zodResolver } from '@hookform/resolvers/zod'
import { type ConsentSettings, consentApi, consentSettingsFields } from '@parley/contracts/contacts/consent'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Select } from 'antd'
import { useMemo } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { call } from '../../lib/api.ts'
import { consentSettingsOptions } from '../../lib/choices/consent-settings.ts'
import { consentKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { DaysInput } from '../../ui/days-input.tsx'
import { Field } from '../../ui/field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { SettingForm, useSaveSetting, WhenRead } from './setting.tsx'
import { SettingsCard } from './settings-card.tsx'
import { type ReportDirty, useReportDirty } from './use-dirty.ts'

const schema = z.object(consentSettingsFields)
type ConsentForm = z.input<typeof schema>

/** Sets the words by which customers end and allow marketing, and who gets it at all. */
export function ConsentCard({ onDirty }: { onDirty: ReportDirty }) {
  const query = useQuery(consentSettingsOptions())
  return (
    <SettingsCard
      title="Marketing Consent"
      lead="Customers stop or allow marketing by sending one of these words, or a common word for it in their own language. The word must be the whole message, with no more than “please” or “thanks” around it: “stop by the shop” opts nobody out."
    >
      <WhenRead query={query} name="The consent settings" height="320px">
        {(data) => <ConsentFields settings={data} onDirty={onDirty} />}
      </WhenRead>
    </SettingsCard>
  )
}

function ConsentFields({ settings, onDirty }: { settings: ConsentSettings; onDirty: ReportDirty }) {
  const values = useMemo(() => schema.parse(settings), [settings])
  const { control, handleSubmit, formState } = useForm<ConsentForm, unknown, z.output<typeof schema>>({
    resolver: zodResolver(schema),
    values,
    // Changes made here stay when the setting is read again.
    resetOptions: { keepDirtyValues: true },
  })
  const { save, isPending } = useSaveSetting<ConsentSettings>({
    queryKey: consentKeys.settings,
    update: (body, intent) => call(consentApi.updateSettings, { body, ...intent }),
    stale: (error) => staleRecord(error, consentApi.updateSettings),
    name: 'The consent settings',
    isPlural: true,
  })
  useReportDirty('consent', formState.isDirty, onDirty)
  const submit = handleSubmit((form) => save({ ...form, version: settings.version }))
  return (
    <SettingForm
      onSubmit={submit}
      submitLabel="Save Consent"
      isPending={isPending}
      buttons={
        <Button href={consentApi.download.path} download>
          Download proof (CSV)
        </Button>
      }
    >
      <SwitchField
        control={control}
        name="needsOptIn"
        label="Marketing needs an opt-in"
        hint="Contacts who have not opted in get no marketing. Contacts who opted out never get any."
      />
      <Field
        control={control}
        name="recentDays"
        label="Leave out contacts who got marketing in recent days"
        optional
        hint="The default for new campaigns. You can change it in each campaign. Leave it empty to leave nobody out."
      >
        {(field) => <DaysInput {...field} />}
      </Field>
      <Words control={control} name="stop" label="Words that end marketing" />
      <Words
        control={control}
        name="stopAll"
        label="Words that end notices too"
        hint="Replies and login codes are still sent."
      />
      <Words
        control={control}
        name="start"
        label="Words that allow it again"
        hint="“Start” by itself ends an opt-out. It is no consent of somebody you never asked."
      />
      <Words
        control={control}
        name="ignored"
        label="Words that do not count"
        hint="Common words for stopping that mean something else to you, such as “cancel”."
      />
      <Answer control={control} name="stopAnswer" label="Answer to an opt-out" />
      <Answer control={control} name="startAnswer" label="Answer to an opt-in" />
    </SettingForm>
  )
}

type FormControl = ReturnType<typeof useForm<ConsentForm, unknown, z.output<typeof schema>>>['control']

function Words({
  control,
  name,
  label,
  hint,
}: {
  control: FormControl
  name: 'stop' | 'stopAll' | 'start' | 'ignored'
  label: string
  hint?: string
}) {
  return (
    <Field control={control} name={name} label={label} {...(hint !== undefined && { hint })}>
      {(field) => (
        <Select
          {...field}
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[',', '\n']}
          placeholder="Type a word and press Enter"
        />
      )}
    </Field>
  )
}

function Answer({ control, name, label }: { control: FormControl; name: 'stopAnswer' | 'startAnswer'; label: string }) {
  return (
    <Field control={control} name={name} label={label} hint="Sent once, while the 24-hour window is open. Empty: none.">
      {(field) => <Input.TextArea {...field} autoSize={{ minRows: 2, maxRows: 6 }} maxLength={1000} dir="auto" />}
    </Field>
  )
}
