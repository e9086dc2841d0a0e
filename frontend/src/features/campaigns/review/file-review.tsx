import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import { counted, formatCount } from '../../../lib/format.ts'
import shared from '../new/new-broadcast.module.css'

/** Files of single recipients: how many there are, who is left out for want of one, and what is wrong with those looked at. */
export function FileReview({ files }: { files: CampaignReview['files'] }) {
  if (!files) return null
  const { distinct, withoutAddress, invalidAddress, checked, faults } = files
  const looked =
    checked < distinct ? `${formatCount(checked)} of ${counted(distinct, 'file')}` : counted(checked, 'file')
  const lines = [
    { label: 'Different files', count: distinct },
    { label: 'Left out: no value for the address', count: withoutAddress },
    { label: 'Left out: not a valid address', count: invalidAddress },
  ]
  return (
    <section className={shared['part']} aria-label="Files">
      <h3>A file for each recipient</h3>
      <dl className={shared['lines']}>
        {lines.map(({ label, count }) => (
          <div key={label} {...(count === 0 && { 'data-none': true })}>
            <dt>{label}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {checked > 0 && (
        <p className={shared['lead']}>
          {faults.length === 0
            ? `Parley has looked at ${looked}: WhatsApp takes ${checked === 1 ? 'it' : 'them'}.`
            : `Parley has looked at ${looked} and found:`}
        </p>
      )}
      {faults.length > 0 && (
        <ul className={shared['faults']}>
          {faults.map(({ title, count, example, detail }) => (
            <li key={title}>
              <p className={shared['strong']}>
                {title}: {formatCount(count)}
              </p>
              <p className={shared['fileAddress']}>
                <bdi>{example}</bdi> {detail}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
