import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useFormContext } from 'react-hook-form'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { counted } from '../../../lib/format.ts'
import { Field } from '../../../ui/field.tsx'
import { importChoices } from '../choices.ts'
import type { Draft } from './draft.ts'

const day = (at: string) => dateTimeFormat(undefined, { day: 'numeric', month: 'short' }).format(new Date(at))

/** The import whose people it is for. */
export function ImportField() {
  const { control, watch } = useFormContext<Draft>()
  const { data, isPending, isError } = useQuery(importChoices())
  const chosen = watch('importId')
  const isGone = data && chosen !== '' && !data.some(({ id }) => id === chosen)
  return (
    <Field
      control={control}
      name="importId"
      label="Import"
      hint="Everyone the import added or changed. You can send to them for 30 days after it."
    >
      {({ value, ...field }) => (
        <Select
          {...field}
          value={value || undefined}
          loading={isPending}
          placeholder="Choose an import"
          notFoundContent={
            isPending
              ? 'Loading…'
              : isError
                ? 'The imports could not be loaded'
                : 'No import of the last 30 days added or changed contacts'
          }
          options={[
            ...(data ?? []).map(({ id, fileName, createdAt, people }) => ({
              value: id,
              label: `${fileName} · ${day(createdAt)} · ${counted(people, 'contact')}`,
            })),
            ...(isGone ? [{ value: chosen, label: 'An import that is no longer available' }] : []),
            ...(isError && chosen !== '' ? [{ value: chosen, label: 'The import that was chosen' }] : []),
          ]}
        />
      )}
    </Field>
  )
}
