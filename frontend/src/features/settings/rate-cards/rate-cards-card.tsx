import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import UploadOutlined from '@ant-design/icons/UploadOutlined'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { ownersSetPrices } from '@parley/contracts/platform/approvals'
import { type Rate, type RateCard, rateCardsApi, rateCategories } from '@parley/contracts/usage/rate-cards'
import { parsePhone } from '@parley/phone'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '../../../lib/api.ts'
import { approvalRulesOptions } from '../../../lib/choices/approvals.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { numberChoices } from '../../../lib/choices/numbers.ts'
import { rateCardsOptions } from '../../../lib/choices/rate-cards.ts'
import { sendingHoursOptions } from '../../../lib/choices/sending-hours.ts'
import { explain } from '../../../lib/explain.ts'
import { counted, formatDay, formatMicros } from '../../../lib/format.ts'
import { countryOptions, nameOfCountry } from '../../../lib/mobile.ts'
import { rateCardKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { toast } from '../../../ui/toast.ts'
import styles from '../settings.module.css'
import { SettingsCard } from '../settings-card.tsx'
import type { ReportDirty } from '../use-dirty.ts'
import { PriceTable } from './price-table.tsx'
import { NotARateCard, readRateCard } from './rate-card-file.ts'
import { RateCardForm } from './rate-card-form.tsx'
import { firstDayAfter, toGroups } from './rate-card-values.ts'
import rateStyles from './rate-cards.module.css'

const RateCardUpload = lazy(async () => ({ default: (await import('./rate-card-upload.tsx')).RateCardUpload }))

const maxFileBytes = 1_000_000

/** Shows WhatsApp's message prices, by which a campaign is priced before it is sent. */
export function RateCardsCard({ onDirty }: { onDirty: ReportDirty }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(rateCardsOptions())
  const [adds, setAdds] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(() => setAdds(false))
    // The keyboard goes on from where the form was.
    opener.current?.focus()
  }
  const { data: rules } = useQuery(approvalRulesOptions())
  const isOwners = useIsRefused('approvals:write') && rules !== undefined && rules.campaignCost !== null
  const mayNotChange = useIsRefused('workspace:write') || isOwners
  const cards = data?.items
  return (
    <SettingsCard
      title="Message Prices"
      lead="What Meta charges you for each delivered message. Parley uses these prices to estimate what a campaign will cost. Enter the rates of your currency from Meta’s price list."
    >
      {!cards ? (
        isLoadingError && !isFetching ? (
          <ErrorState message="The prices could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <SkeletonBar height="120px" />
        )
      ) : (
        <div className={styles['form']}>
          {cards.length === 0 && !adds && (
            <p className={styles['quiet']}>There are no prices yet, so campaigns show only their credits.</p>
          )}
          {isOwners && <p className={styles['quiet']}>{ownersSetPrices}</p>}
          {cards.length > 0 && <Cards cards={cards} mayNotChange={mayNotChange} />}
          {adds ? (
            <RateCardForm latest={cards[0]} onDirty={onDirty} onClose={close} />
          ) : (
            !mayNotChange && (
              <div className={styles['buttons']}>
                <Button ref={opener} type={cards.length === 0 ? 'primary' : 'default'} onClick={() => setAdds(true)}>
                  {cards.length === 0 ? 'Enter Prices' : 'Change Prices'}
                </Button>
                <FromFile latest={cards[0]} />
              </div>
            )
          )}
        </div>
      )}
    </SettingsCard>
  )
}

/** Reads Meta's own file, and shows what it changes before anything is stored. */
function FromFile({ latest }: { latest: RateCard | undefined }) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Omit<Parameters<typeof RateCardUpload>[0], 'latest' | 'onClose'>>()
  async function read(file: File) {
    if (file.size > maxFileBytes) return toast.error('This file is larger than 1 MB. A rate card has a few kilobytes.')
    try {
      const [{ default: papa }, text, hours, numbers] = await Promise.all([
        import('papaparse'),
        file.text(),
        client.ensureQueryData(sendingHoursOptions()),
        client.ensureQueryData(numberChoices()),
      ])
      const [first] = numbers
      setChosen({
        file: readRateCard(papa.parse<string[]>(text).data),
        fileName: file.name,
        firstDay: firstDayAfter(latest, wallTimeOf(new Date(), hours.zone).date),
        home: (first && parsePhone(first.phoneNumber)?.country) ?? 'IN',
      })
    } catch (error) {
      toast.error(error instanceof NotARateCard ? error.message : 'This file could not be read. Choose it again.')
    }
  }
  return (
    <>
      <Button icon={<UploadOutlined aria-hidden />} onClick={() => input.current?.click()}>
        Read From File
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="Rate card"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void read(file)
          // The same file may be chosen again.
          target.value = ''
        }}
      />
      {chosen && (
        <Suspense>
          <RateCardUpload {...chosen} latest={latest} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** The one that holds, those that are to come, and the days of those before. */
function Cards({ cards, mayNotChange }: { cards: readonly RateCard[]; mayNotChange: boolean }) {
  const coming = cards.filter((card) => card.coming)
  const [current, ...before] = cards.filter((card) => !card.coming)
  return (
    <div className={rateStyles['rateCards']}>
      {[...coming, ...(current ? [current] : [])].map((card) => (
        <OneCard key={card.id} card={card} mayNotChange={mayNotChange} />
      ))}
      {before.length > 0 && (
        <p className={styles['quiet']}>
          Before that from {before.map(({ effectiveFrom }) => formatDay(effectiveFrom)).join(', ')}
        </p>
      )}
    </div>
  )
}

function OneCard({ card, mayNotChange }: { card: RateCard; mayNotChange: boolean }) {
  const { id, effectiveFrom, currency, source, rates, coming } = card
  const from = formatDay(effectiveFrom)
  const client = useQueryClient()
  const remove = useChange({
    run: (card: string, intent) => call(rateCardsApi.remove, { params: { id: card }, ...intent }),
    onSettled: () => client.invalidateQueries({ queryKey: rateCardKeys.all }),
  })
  const removeIt = () =>
    remove.mutateAsync(id).then(
      () => toast.success(`The prices from ${from} are removed.`),
      (error: unknown) => toast.error(explain(error, 'The prices could not be removed. Try again.')),
    )
  const priceText = (country: string, category: Rate['category']) => {
    const rate = rates.find((entry) => entry.country === country && entry.category === category)
    return rate ? formatMicros(rate.priceMicros, currency, { exact: true }) : '–'
  }
  const priced = new Set(rates.map((rate) => rate.country))
  const unpriced = priced.has('other')
    ? []
    : countryOptions().flatMap(({ value }) => (priced.has(value) ? [] : [value]))
  return (
    <section aria-label={`Prices from ${from}`}>
      <div className={styles['cardHead']}>
        <h3>From {from}</h3>
        <StatusBadge tone={coming ? 'neutral' : 'success'}>{coming ? 'Coming' : 'In force'}</StatusBadge>
        {coming && !mayNotChange && (
          <IconButton label={`Remove the prices from ${from}`} onClick={removeIt}>
            <DeleteOutlined aria-hidden />
          </IconButton>
        )}
      </div>
      <div className={rateStyles['scrolls']}>
        <PriceTable rows="Country" categories={rateCategories}>
          {toGroups(rates).map(({ row: { country }, countries }) => (
            <tr key={country}>
              <th scope="row">
                <CountryNames countries={countries} />
              </th>
              {rateCategories.map((category) => (
                <td key={category}>{priceText(country, category)}</td>
              ))}
            </tr>
          ))}
        </PriceTable>
      </div>
      {unpriced.length > 0 && (
        <div className={styles['quiet']}>
          No price: <CountryNames countries={unpriced} />
        </div>
      )}
      {source && (
        <p className={styles['quiet']} dir="auto">
          {source}
        </p>
      )}
    </section>
  )
}

/** Names of a few countries; of many, the number, with the names behind it. */
function CountryNames({ countries }: { countries: readonly string[] }) {
  const names = countries.map((country) => nameOfCountry(country))
  if (names.length <= 3) return names.join(', ')
  return (
    <details>
      <summary>
        {names.slice(0, 2).join(', ')} and {counted(names.length - 2, 'more country', 'more countries')}
      </summary>
      {names.slice(2).join(', ')}
    </details>
  )
}
