import { type CampaignCost, campaignCostApi } from '@parley/contracts/campaigns/campaign-cost'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { call } from '../../../lib/api.ts'
import { counted, formatCount, formatMicros } from '../../../lib/format.ts'
import { nameOfCountry } from '../../../lib/mobile.ts'
import { Link } from '../../../lib/navigation.ts'
import { campaignKeys } from '../../../lib/query-keys.ts'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import styles from './details.module.css'

const followMs = 30_000

const chargedOptions = (id: string) =>
  queryOptions({
    queryKey: campaignKeys.charged(id),
    queryFn: ({ signal }) => call(campaignCostApi.read, { params: { id }, signal }),
    staleTime: 0,
  })

/** Shows WhatsApp's charges for a campaign: the planned maximum, and what has been charged so far. */
export function CampaignCostPart({ campaign: { id, counts } }: { campaign: Campaign }) {
  const { data, isError, refetch } = useQuery({
    ...chargedOptions(id),
    // Adding up reads a row for each message: it follows the figures above, which change every second, at a distance.
    refetchInterval: ({ state }) => (state.data && deliveredIn(state.data) < counts.delivered ? followMs : false),
  })
  return (
    <section aria-labelledby="campaign-cost" className={styles['part']}>
      <h3 id="campaign-cost">Cost</h3>
      {data ? (
        <Cost cost={data} />
      ) : isError ? (
        <p className={styles['note']}>
          WhatsApp’s charges could not be calculated.{' '}
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <SkeletonBar height="66px" />
      )}
    </section>
  )
}

const deliveredIn = ({ lines, free, unrecorded }: CampaignCost): number =>
  lines.reduce((sum, { count }) => sum + count, free + unrecorded)

function Cost({ cost }: { cost: CampaignCost }) {
  const { planned, lines, unpriced, free, unrecorded, hasPrices } = cost
  return (
    <>
      <dl className={styles['times']}>
        <div>
          <dt>Planned at most</dt>
          <dd>
            {planned ? together([formatMicros(planned.micros, planned.currency)], planned.unpriced) : 'Not known'}
          </dd>
        </div>
        <div>
          <dt>Charged so far</dt>
          <dd>{chargedLabels(cost)}</dd>
        </div>
      </dl>
      {(lines.length > 0 || free > 0) && <Lines cost={cost} />}
      {unrecorded > 0 && (
        <p className={styles['note']}>
          There is no record of whether WhatsApp charges for {counted(unrecorded, 'delivered message')}.
        </p>
      )}
      {!hasPrices ? (
        <p className={styles['note']}>
          There are no message prices yet. <Link to="/settings?tab=billing">Enter them in Settings</Link>. They apply to
          messages delivered from their start date.
        </p>
      ) : (
        unpriced > 0 && (
          <p className={styles['note']}>
            Without a price: your <Link to="/settings?tab=billing">message prices</Link> had none for their country and
            category on the day of delivery.
          </p>
        )
      )}
      <p className={styles['note']}>
        Planned: the cost if everyone in the review gets the message, at the prices on its start date. Charged: messages
        that WhatsApp delivered and reports as billable, at your prices on the delivery date, excluding taxes and
        discounts.
      </p>
    </>
  )
}

function chargedLabels({ charged, unpriced, free, unrecorded }: CampaignCost): string {
  if (charged.length > 0 || unpriced > 0)
    return together(
      charged.map(({ currency, micros }) => formatMicros(micros, currency)),
      unpriced,
    )
  if (unrecorded > 0) return 'Not known'
  return free > 0 ? 'Nothing: all of it was free' : 'Nothing has been delivered yet'
}

/** `₹883.38 and $2.10, and 2 messages without a price`. */
function together(sums: readonly string[], unpriced: number): string {
  const without = unpriced > 0 ? [`${counted(unpriced, 'message')} without a price`] : []
  return [...(sums.length > 0 ? [sums.join(' and ')] : []), ...without].join(', and ')
}

function Lines({ cost: { lines, free } }: { cost: CampaignCost }) {
  return (
    <details>
      <summary className={styles['opens']}>By country</summary>
      <dl className={styles['lines']}>
        {lines.map(({ country, category, count, charge }) => (
          <div key={[country, category, charge?.currency, charge?.priceMicros].join(' ')}>
            <dt>
              {country === null ? 'Unknown country' : nameOfCountry(country)}, {category.replaceAll('_', ' ')}:{' '}
              {formatCount(count)}
              {charge && ` × ${formatMicros(charge.priceMicros, charge.currency, { exact: true })}`}
            </dt>
            <dd>{charge ? formatMicros(charge.micros, charge.currency) : 'No price'}</dd>
          </div>
        ))}
        {free > 0 && (
          <div>
            <dt>Free, as WhatsApp says: {formatCount(free)}</dt>
            <dd>–</dd>
          </div>
        )}
      </dl>
    </details>
  )
}
