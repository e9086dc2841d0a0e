import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import { templateCategories } from '@parley/contracts/templates/templates'
import { type Rate, type RateCard, rateCardsApi } from '@parley/contracts/usage/rate-cards'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '../../../lib/api.ts'
import { categoryLabels } from '../../../lib/category-labels.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { rateCardsOptions } from '../../../lib/choices/rate-cards.ts'
import { explain } from '../../../lib/explain.ts'
import { formatDay, formatMicros } from '../../../lib/format.ts'
import { nameOfCountry } from '../../../lib/mobile.ts'
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
import { RateCardForm } from './rate-card-form.tsx'
import { toRows } from './rate-card-values.ts'

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
  const mayNotChange = useIsRefused('workspace:write')
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
          {cards.length > 0 && <Cards cards={cards} mayNotChange={mayNotChange} />}
          {adds ? (
            <RateCardForm latest={cards[0]} onDirty={onDirty} onClose={close} />
          ) : (
            !mayNotChange && (
              <div className={styles['buttons']}>
                <Button ref={opener} type={cards.length === 0 ? 'primary' : 'default'} onClick={() => setAdds(true)}>
                  {cards.length === 0 ? 'Enter Prices' : 'Change Prices'}
                </Button>
              </div>
            )
          )}
        </div>
      )}
    </SettingsCard>
  )
}

/** The one that holds, those that are to come, and the days of those before. */
function Cards({ cards, mayNotChange }: { cards: readonly RateCard[]; mayNotChange: boolean }) {
  const coming = cards.filter((card) => card.coming)
  const [current, ...before] = cards.filter((card) => !card.coming)
  return (
    <div className={styles['rateCards']}>
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
      <div className={styles['scrolls']}>
        <table className={styles['rates']}>
          <thead>
            <tr>
              <th scope="col">Country</th>
              {templateCategories.map((category) => (
                <th key={category} scope="col">
                  {categoryLabels[category]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {toRows(rates).map(({ country }) => (
              <tr key={country}>
                <th scope="row">{nameOfCountry(country)}</th>
                {templateCategories.map((category) => (
                  <td key={category}>{priceText(country, category)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {source && (
        <p className={styles['quiet']} dir="auto">
          {source}
        </p>
      )}
    </section>
  )
}
