import { zodResolver } from '@hookform/resolvers/zod'
import { botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import { botSummarySchema } from '@parley/contracts/automation/bot-summary'
import type { BotRecord } from '@parley/contracts/automation/bots'
import { useQuery } from '@tanstack/react-query'
import { Input, InputNumber, Select } from 'antd'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { memberChoices, useIsRefused } from '../../lib/choices/members.ts'
import { numberChoices } from '../../lib/choices/numbers.ts'
import { explain } from '../../lib/explain.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useSaveSettings } from './api.ts'

const schema = z.object({ numberIds: botSummarySchema.shape.numberIds, settings: botSettingsSchema })
type Form = z.infer<typeof schema>

const queue = 'queue'

/** Sets at which numbers a bot answers, how long it waits, and what it says when people take over. */
export function SettingsDialog({ bot, open, onClose }: { bot: BotRecord; open: boolean; onClose: () => void }) {
  const numbers = useQuery({ ...numberChoices(), enabled: open })
  const members = useQuery({ ...memberChoices(), enabled: open })
  const mayNotWrite = useIsRefused('bots:write')
  const save = useSaveSettings(bot.id)
  const { control, handleSubmit, reset } = useForm<z.input<typeof schema>, unknown, Form>({
    resolver: zodResolver(schema),
    values: { numberIds: bot.numberIds, settings: bot.settings },
    resetOptions: { keepDirtyValues: true },
  })
  const submit = handleSubmit((values) =>
    save.mutateAsync({ ...values, version: bot.version }).then(
      () => {
        toast.success(`The settings of ${bot.name} are saved.`)
        onClose()
      },
      (error: unknown) => toast.error(explain(error, 'The settings could not be saved. Your changes are kept.')),
    ),
  )
  return (
    <FormDialog
      open={open}
      title={`Settings of ${bot.name}`}
      submitLabel="Save"
      submitDisabled={mayNotWrite}
      pending={save.isPending}
      width={560}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset()}
    >
      <Field control={control} name="numberIds" label="Answers at" hint="Empty: at every number.">
        {(field) => (
          <Select
            {...field}
            mode="multiple"
            placeholder="All numbers"
            optionFilterProp="label"
            loading={numbers.isFetching}
            options={(numbers.data ?? []).map(({ id, displayName, phoneNumber }) => ({
              value: id,
              label: `${displayName} (${phoneNumber})`,
            }))}
          />
        )}
      </Field>
      <Field
        control={control}
        name="settings.collectSeconds"
        label="Seconds to wait for more of a message"
        hint="Customers often write one question in several messages."
      >
        {({ value, ...field }) => <InputNumber {...field} value={value ?? null} min={0} max={10} step={0.5} />}
      </Field>
      <Field control={control} name="settings.idleHours" label="Hours until an unanswered question ends the session">
        {({ value, ...field }) => <InputNumber {...field} value={value ?? null} min={1} max={168} precision={0} />}
      </Field>
      <Field
        control={control}
        name="settings.handOverWords"
        label="Words that ask for a person"
        optional
        hint="Beside those of the workspace."
      >
        {(field) => <Select {...field} mode="tags" open={false} suffixIcon={null} tokenSeparators={[',']} />}
      </Field>
      <Field control={control} name="settings.handOverText" label="Said when a person takes over">
        {({ value, ...field }) => (
          <Input.TextArea
            {...field}
            value={value ?? ''}
            maxLength={1024}
            autoSize={{ minRows: 2, maxRows: 6 }}
            dir="auto"
          />
        )}
      </Field>
      <Field control={control} name="settings.failureText" label="Said when the bot cannot go on">
        {({ value, ...field }) => (
          <Input.TextArea
            {...field}
            value={value ?? ''}
            maxLength={1024}
            autoSize={{ minRows: 2, maxRows: 6 }}
            dir="auto"
          />
        )}
      </Field>
      <Field control={control} name="settings.failureTo" label="Then the conversation goes to">
        {({ value, onChange, ...field }) => (
          <Select
            {...field}
            value={value?.kind === 'member' ? value.memberId : queue}
            onChange={(id) => onChange(id === queue ? { kind: 'queue' } : { kind: 'member', memberId: id })}
            options={[
              { value: queue, label: 'Unassigned' },
              ...(members.data ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
            ]}
          />
        )}
      </Field>
    </FormDialog>
  )
}
