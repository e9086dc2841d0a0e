import { zodResolver } from '@hookform/resolvers/zod'
import { type AutomationSettings, automationSettingsSchema } from '@parley/contracts/automation/bot-settings'
import { useQuery } from '@tanstack/react-query'
import { Input, InputNumber, Select } from 'antd'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { hoursText } from '../../flow-builder/summary.ts'
import { useIsRefused } from '../../lib/choices/members.ts'
import { openingHoursOptions } from '../../lib/choices/opening-hours.ts'
import { explain } from '../../lib/explain.ts'
import { Link } from '../../lib/navigation.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { automationSettingsOptions, useSaveAutomationSettings } from './api.ts'

type Form = z.input<typeof automationSettingsSchema>

/** Sets, for all bots, what is said outside the opening hours, the words that ask for a person, and when bots answer again. */
export function HoursDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const settings = useQuery({ ...automationSettingsOptions(), enabled: open })
  const mayNotWrite = useIsRefused('bots:write')
  const save = useSaveAutomationSettings()
  const { control, handleSubmit, reset } = useForm<Form, unknown, AutomationSettings>({
    resolver: zodResolver(automationSettingsSchema),
    ...(settings.data && { values: settings.data }),
    // Changes made here stay when the settings are read again.
    resetOptions: { keepDirtyValues: true },
  })
  const submit = handleSubmit(({ version: _old, ...values }) =>
    save
      .mutateAsync({
        ...values,
        // `null` deletes what is stored; an absent field would keep it.
        closedText: values.closedText ?? null,
        returnHours: values.returnHours ?? null,
        version: settings.data?.version ?? 0,
      })
      .then(
        () => {
          toast.success('Hours and hand-over are saved.')
          onClose()
        },
        (error: unknown) =>
          toast.error(explain(error, 'Hours and hand-over could not be saved. Your changes are kept. Try again.')),
      ),
  )
  return (
    <FormDialog
      open={open}
      title="Hours and Hand-over"
      lead="For all bots of this workspace."
      submitLabel="Save"
      submitDisabled={!settings.data || mayNotWrite}
      pending={save.isPending}
      width={560}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
      onClosed={() => reset()}
    >
      {settings.data ? (
        <>
          <Hours />
          <Field
            control={control}
            name="closedText"
            label="Hand-over outside these hours"
            optional
            hint="Sent in place of a bot’s own hand-over text."
          >
            {({ value, onChange, ...field }) => (
              <Input.TextArea
                {...field}
                value={value ?? ''}
                maxLength={1024}
                autoSize={{ minRows: 2, maxRows: 6 }}
                dir="auto"
                onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
              />
            )}
          </Field>
          <Field
            control={control}
            name="handOverWords"
            label="Words that ask for a person"
            hint="A customer who writes one of them is handed over at any point."
          >
            {(field) => <Select {...field} mode="tags" open={false} suffixIcon={null} tokenSeparators={[',']} />}
          </Field>
          <Field
            control={control}
            name="returnHours"
            label="Hours without a person’s message until bots answer again"
            optional
            hint="Empty: a conversation stays with its member until it is closed."
          >
            {({ value, onChange, ...field }) => (
              <InputNumber
                {...field}
                value={value ?? null}
                onChange={(hours) => onChange(hours ?? undefined)}
                min={1}
                max={720}
                precision={0}
              />
            )}
          </Field>
        </>
      ) : settings.isError && !settings.isFetching ? (
        <ErrorState
          message={explain(settings.error, 'The settings could not be loaded.')}
          onRetry={() => void settings.refetch()}
        />
      ) : (
        <SkeletonBar height="240px" />
      )}
    </FormDialog>
  )
}

/** Opening hours of the workspace, which bots ask for, and where they are set. */
function Hours() {
  const { data } = useQuery(openingHoursOptions())
  if (!data) return <SkeletonBar height="22px" />
  return (
    <p role="note">
      {data.spans.length === 0 ? 'Open at all hours' : `Open ${hoursText(data.spans)}`} ({data.timeZone}).{' '}
      <Link to="/settings?tab=account">Change Opening Hours</Link>
    </p>
  )
}
