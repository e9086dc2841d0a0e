import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { zodResolver } from '@hookform/resolvers/zod'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { type RateCard, rateCardsApi, rateCategories } from '@parley/contracts/usage/rate-cards'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input, Select } from 'antd'
import { useEffect, useMemo } from 'react'
import { type Control, useFieldArray, useForm } from 'react-hook-form'
import { call } from '../../../lib/api.ts'
import { rateLabels } from '../../../lib/category-labels.ts'
import { sendingHoursOptions } from '../../../lib/choices/sending-hours.ts'
import { explain } from '../../../lib/explain.ts'
import { currencyOptions, formatDay } from '../../../lib/format.ts'
import { countryOptions, nameOfCountry } from '../../../lib/mobile.ts'
import { rateCardKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import styles from '../settings.module.css'
import { type ReportDirty, useReportDirty } from '../use-dirty.ts'
import {
  emptyRow,
  type RateCardForm as Form,
  firstDayAfter,
  rateCardFormSchema,
  toCard,
  toRows,
  withReplaced,
} from './rate-card-values.ts'
import rateStyles from './rate-cards.module.css'

/** Countries that one form shows. */
const maxRows = 30

interface Props {
  /** Rate card being changed. */
  latest: RateCard | undefined
  onDirty: ReportDirty
  onClose: () => void
}

/** Prices from a day on, beginning with the latest ones. Days are those of the workspace's zone. */
export function RateCardForm(props: Props) {
  const { data: hours } = useQuery(sendingHoursOptions())
  if (!hours) return <SkeletonBar height="180px" />
  return <Fields {...props} today={wallTimeOf(new Date(), hours.zone).date} />
}

function Fields({ latest, today, onDirty, onClose }: Props & { today: string }) {
  const client = useQueryClient()
  // A whole rate card would be a form of hundreds of rows: only the countries that change are entered.
  const all = latest?.rates ?? []
  const kept = toRows(all).length > maxRows ? all : []
  const { control, handleSubmit, formState, setFocus } = useForm<Form>({
    resolver: zodResolver(rateCardFormSchema),
    defaultValues: {
      effectiveFrom: firstDayAfter(latest, today),
      currency: latest?.currency ?? 'INR',
      source: latest?.source ?? '',
      rows: kept.length > 0 ? [emptyRow] : latest ? toRows(latest.rates) : [{ ...emptyRow, country: 'IN' }],
    },
  })
  const { fields, append, remove } = useFieldArray({ control, name: 'rows' })
  useReportDirty('message prices', formState.isDirty, onDirty)
  const save = useChange({
    run: (form: Form, intent) => {
      const card = toCard(form)
      return call(rateCardsApi.create, { body: { ...card, rates: withReplaced(kept, card.rates) }, ...intent })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: rateCardKeys.all }),
  })
  const submit = handleSubmit((form) =>
    save.mutateAsync(form).then(
      () => {
        toast.success(`The prices take effect on ${formatDay(form.effectiveFrom)}.`)
        onClose()
      },
      (error: unknown) =>
        toast.error(explain(error, 'The prices could not be saved. What you entered is kept. Try again.')),
    ),
  )
  useEffect(() => setFocus('effectiveFrom'), [setFocus])
  const currencies = useMemo(() => currencyOptions(), [])
  const countries = useMemo(
    () => [
      { value: 'other', label: nameOfCountry('other') },
      ...countryOptions().map(({ value, name }) => ({ value, label: name })),
    ],
    [],
  )
  return (
    <form className={styles['form']} onSubmit={submit} noValidate aria-label="New message prices">
      <div className={styles['pair']}>
        <Field control={control} name="effectiveFrom" label="Valid from">
          {(field) => <Input {...field} type="date" min={today} />}
        </Field>
        <Field control={control} name="currency" label="Currency">
          {(field) => <Select {...field} showSearch={{ optionFilterProp: 'label' }} options={currencies} />}
        </Field>
      </div>
      {kept.length > 0 && <p className={styles['quiet']}>Enter the prices that change. All others stay as they are.</p>}
      {fields.map(({ id }, index) => (
        <Row
          key={id}
          control={control}
          index={index}
          countries={countries}
          onRemove={fields.length > 1 ? () => remove(index) : undefined}
        />
      ))}
      <div className={styles['buttons']}>
        <Button
          icon={<PlusOutlined aria-hidden />}
          onClick={() => append(emptyRow, { focusName: `rows.${fields.length}.country` })}
        >
          Add country
        </Button>
      </div>
      <Field
        control={control}
        name="source"
        label="Source"
        optional
        hint="Where you found these prices, for later reference."
      >
        {(field) => <Input {...field} maxLength={200} dir="auto" />}
      </Field>
      <div className={styles['buttons']}>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          Save Prices
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

function Row({
  control,
  index,
  countries,
  onRemove,
}: {
  control: Control<Form>
  index: number
  countries: { value: string; label: string }[]
  onRemove: (() => void) | undefined
}) {
  return (
    <fieldset className={rateStyles['rateRow']} aria-label={`Prices ${index + 1}`}>
      <Field control={control} name={`rows.${index}.country`} label="Country">
        {(field) => (
          <Select
            {...field}
            value={field.value || undefined}
            showSearch={{ optionFilterProp: 'label' }}
            options={countries}
          />
        )}
      </Field>
      {rateCategories.map((category) => (
        <Field key={category} control={control} name={`rows.${index}.${category}`} label={rateLabels[category]}>
          {(field) => <Input {...field} inputMode="decimal" autoComplete="off" />}
        </Field>
      ))}
      {onRemove && (
        <IconButton label={`Remove prices ${index + 1}`} onClick={onRemove}>
          <DeleteOutlined aria-hidden />
        </IconButton>
      )}
    </fieldset>
  )
}
