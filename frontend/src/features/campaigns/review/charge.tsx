import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import { sumOf } from '@parley/contracts/usage/rate-cards'
import { counted, formatCount, formatDay, formatMicros } from '../../../lib/format.ts'
import { nameOfCountry } from '../../../lib/mobile.ts'
import { Link } from '../../../lib/navigation.ts'
import styles from '../new/new-broadcast.module.css'

/** Shows WhatsApp's charge if every recipient gets the message, by the prices that the workspace has entered. */
export function Charge({ cost: { card, lines } }: { cost: NonNullable<CampaignReview['cost']> }) {
  if (!card)
    return (
      <p className={styles['lead']}>
        What WhatsApp charges is not known: <Link to="/settings?tab=billing">enter your message prices</Link>.
      </p>
    )
  const { micros, unpriced } = sumOf(lines)
  const money = (of: number, exact = false) => formatMicros(of, card.currency, { exact })
  return (
    <details className={styles['charge']}>
      <summary>
        WhatsApp charges at most {money(micros)}
        {unpriced > 0 && `, and ${counted(unpriced, 'message')} more without a price`}
      </summary>
      <dl className={styles['lines']}>
        {lines.map(({ country, count, priceMicros }) => (
          <div key={country ?? 'unknown'}>
            <dt>
              {country === null ? 'Unknown country' : nameOfCountry(country)}: {formatCount(count)}
              {priceMicros !== null && ` × ${money(priceMicros, true)}`}
            </dt>
            <dd>{priceMicros === null ? 'No price' : money(count * priceMicros)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['lead']}>
        By your prices from {formatDay(card.effectiveFrom)}. Only delivered messages are charged.
      </p>
    </details>
  )
}
