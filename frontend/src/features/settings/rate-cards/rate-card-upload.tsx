import { zodResolver } from '@hookform/resolvers/zod'
import { newRateCardSchema, priceOf, type Rate, type RateCard, rateCardsApi } from '@parley/contracts/usage/rate-cards'
import { useQueryClient } from '@tanstack/react-query'
import { Input, Select } from 'antd'
import { useMemo } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { call } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { counted, currencyOptions, formatDay, formatMicros } from '../../../lib/format.ts'
import { countryOptions } from '../../../lib/mobile.ts'
import { rateCardKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import { toast } from '../../../ui/toast.ts'
import styles from '../settings.module.css'
import { PriceTable } from './price-table.tsx'
import { categoriesOf, type MarketPrices, type RateCardFile, ratesOf } from './rate-card-file.ts'
import rateStyles from './rate-cards.module.css'

const formSchema = z.object({
  effectiveFrom: newRateCardSchema.shape.effectiveFrom,
  currency: newRateCardSchema.shape.currency,
  home: z.string(),
})
type Form = z.infer<typeof formSchema>

/** Shows what a rate card of Meta changes, and stores it as prices from a day on. */
export function RateCardUpload({
  file,
  fileName,
  latest,
  firstDay,
  home: initialHome,
  onClose,
}: {
  file: RateCardFile
  fileName: string
  /** Prices that it follows. */
  latest: RateCard | undefined
  /** First day from which it may be valid. */
  firstDay: string
  /** Country that the business is likely based in. */
  home: string
  onClose: () => void
}) {
  const client = useQueryClient()
  const { control, handleSubmit, watch } = useForm<Form>({
    resolver: zodResolver(formSchema),
    defaultValues: { effectiveFrom: firstDay, currency: file.currency ?? latest?.currency ?? 'USD', home: initialHome },
  })
  const { currency, home } = watch()
  const categories = categoriesOf(file.markets)
  const before = latest?.currency === currency ? latest : undefined
  const kept = before?.rates.filter(({ category }) => !categories.some((own) => own === category)) ?? []
  const currencies = useMemo(() => currencyOptions(), [])
  const countries = useMemo(() => countryOptions().map(({ value, name }) => ({ value, label: name })), [])
  const save = useChange({
    run: (form: Form, intent) =>
      call(rateCardsApi.create, {
        body: {
          effectiveFrom: form.effectiveFrom,
          currency: form.currency,
          source: fileName.slice(0, 200),
          rates: [...ratesOf(file.markets, form.home), ...kept],
        },
        ...intent,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: rateCardKeys.all }),
  })
  const submit = handleSubmit((form) =>
    save.mutateAsync(form).then(
      () => {
        toast.success(`The prices take effect on ${formatDay(form.effectiveFrom)}.`)
        onClose()
      },
      (error: unknown) => toast.error(explain(error, 'The prices could not be saved. Try again.')),
    ),
  )
  const isAbroad = file.markets.some(({ international }) => international !== undefined)
  const missing = before ? lostCountries(before, file) : 0
  return (
    <FormDialog
      open
      title="Prices from a file"
      lead={`${counted(file.markets.length, 'market')} in ${fileName}. Groups such as “Rest of Africa” apply to each of their countries.`}
      submitLabel="Save Prices"
      pending={save.isPending}
      width={720}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles['pair']}>
        <Field control={control} name="effectiveFrom" label="Valid from">
          {(field) => <Input {...field} type="date" min={firstDay} />}
        </Field>
        <Field control={control} name="currency" label="Currency">
          {(field) => (
            <Select
              {...field}
              showSearch={{ optionFilterProp: 'label' }}
              options={currencies}
              getPopupContainer={popupInside}
            />
          )}
        </Field>
      </div>
      {isAbroad && (
        <Field
          control={control}
          name="home"
          label="Your business is based in"
          hint="Some countries charge more for authentication messages from businesses abroad."
        >
          {(field) => (
            <Select
              {...field}
              showSearch={{ optionFilterProp: 'label' }}
              options={countries}
              getPopupContainer={popupInside}
            />
          )}
        </Field>
      )}
      {file.unknown.length > 0 && (
        <p role="status">
          No country is known for {file.unknown.join(', ')}:{' '}
          {file.unknown.length > 1 ? 'these lines are' : 'this line is'} left out.
        </p>
      )}
      {missing > 0 && <p role="status">{counted(missing, 'country', 'countries')} with a price now would have none.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={rateStyles['priceList']} tabIndex={0} aria-label="Prices in the file">
        <PriceTable rows="Market" categories={categories}>
          {file.markets.map((market) => (
            <tr key={market.market}>
              <th scope="row">
                {market.market}
                {market.countries.length > 1 && (
                  <span className={styles['quiet']}> · {counted(market.countries.length, 'country', 'countries')}</span>
                )}
              </th>
              {categories.map((category) => (
                <td key={category}>
                  <Price market={market} category={category} home={home} currency={currency} before={before} />
                </td>
              ))}
            </tr>
          ))}
        </PriceTable>
      </section>
    </FormDialog>
  )
}

/** A price, after the one that it replaces where that is another. */
function Price({
  market,
  category,
  home,
  currency,
  before,
}: {
  market: MarketPrices
  category: Rate['category']
  home: string
  currency: string
  before: RateCard | undefined
}) {
  const [first = ''] = market.countries
  const micros = ratesOf([{ ...market, countries: [first] }], home).find(
    (rate) => rate.category === category,
  )?.priceMicros
  const text = (price: number | undefined) =>
    price === undefined ? '–' : formatMicros(price, currency, { exact: true })
  const olds = new Set(market.countries.map((country) => before && priceOf(before.rates, country, category)))
  const [old] = olds
  if (!before || (olds.size === 1 && old === micros)) return text(micros)
  return (
    <>
      <s className={styles['quiet']}>{olds.size === 1 ? text(old) : 'various'}</s>{' '}
      <span className="visually-hidden">now </span>
      <strong>{text(micros)}</strong>
    </>
  )
}

/** Number of countries that have a price of their own today and are in none of the file's markets. */
function lostCountries({ rates }: RateCard, { markets }: RateCardFile): number {
  const named = new Set(markets.flatMap(({ countries }) => countries))
  if (named.has('other')) return 0
  return new Set(rates.flatMap(({ country }) => (named.has(country) ? [] : [country]))).size
}
