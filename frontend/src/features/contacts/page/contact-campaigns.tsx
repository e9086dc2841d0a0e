import { useQuery } from '@tanstack/react-query'
import { campaignsOfContactOptions } from '../../../lib/campaigns-of-contact.ts'
import { Link } from '../../../lib/navigation.ts'
import { recipientLabels } from '../../../lib/recipient-labels.ts'
import { useClock } from '../../../lib/use-clock.ts'
import parts from '../../../ui/contact/contact-parts.module.css'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { RelativeTime } from '../../../ui/timestamp.tsx'
import styles from './contact-page.module.css'

/** Campaigns that a contact was chosen for, and what has become of each. */
export function ContactCampaigns({ contactId }: { contactId: string }) {
  const clock = useClock(0)
  const { data, isLoadingError, isFetching, refetch } = useQuery(campaignsOfContactOptions(contactId))
  return (
    <section className={styles['card']} aria-labelledby="contact-campaigns">
      <h2 id="contact-campaigns" className={styles['title']}>
        Campaigns
      </h2>
      {data ? (
        data.length === 0 ? (
          <p className={parts['quiet']}>None yet.</p>
        ) : (
          <ul className={styles['conversations']}>
            {data.map(({ id, campaignId, campaignName, startedAt, state, reason, clicked, replied }) => (
              <li key={id}>
                <Link to={`/broadcasts?id=${campaignId}`} className={parts['conversation'] ?? ''}>
                  <span className={styles['row']}>
                    <RelativeTime at={startedAt} {...clock} />
                    <StatusBadge tone={recipientLabels[state].tone}>{recipientLabels[state].word}</StatusBadge>
                  </span>
                  <span className={parts['text']} dir="auto">
                    {campaignName}
                  </span>
                  {(reason || clicked || replied) && (
                    <span className={parts['quiet']}>
                      {[clicked && 'Clicked', replied && 'Replied', reason].filter(Boolean).join(' · ')}
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        )
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The campaigns could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="96px" />
      )}
    </section>
  )
}
