import type { Absence, Explanation } from '@parley/contracts/campaigns/campaign-results'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { writtenPhone } from '@parley/phone'
import { useQuery } from '@tanstack/react-query'
import { contactChoices } from '../../../lib/choices/contacts.ts'
import { Link } from '../../../lib/navigation.ts'
import { fullTime } from '../../../lib/relative-time.ts'
import { AnswerTree } from '../../../ui/answer-tree.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { RecipientRow } from './recipient-row.tsx'
import styles from './recipients.module.css'
import { explanationOptions } from './results-api.ts'

interface Clock {
  readonly now: Date
  readonly timeZone: string
}
/** Maximum people explained, each by a call of its own. */
const maxExplained = 5

/** Contacts that a search finds beside those who are listed: what has become of them, or why they are not in the campaign. */
export function PeopleFound({
  campaign,
  q,
  listed,
  clock,
}: {
  campaign: Campaign
  q: string
  /** Contacts of the rows that stand above. */
  listed: ReadonlySet<string>
  clock: Clock
}) {
  const { data = [], isPlaceholderData } = useQuery(contactChoices(q))
  const others = isPlaceholderData ? [] : data.filter(({ id }) => !listed.has(id))
  if (others.length === 0) return null
  return (
    <section aria-labelledby="campaign-others" className={styles['view']}>
      <h3 id="campaign-others" className={styles['title']}>
        Not in this list
      </h3>
      <ul className={styles['list']}>
        {others.slice(0, maxExplained).map((contact) => (
          <Person key={contact.id} campaign={campaign} contact={contact} clock={clock} />
        ))}
      </ul>
      {others.length > maxExplained && (
        <p className={styles['count']}>More contacts are found. Type more of the name or number to see them.</p>
      )}
    </section>
  )
}

function Person({ campaign, contact, clock }: { campaign: Campaign; contact: Contact; clock: Clock }) {
  const { data, isLoadingError } = useQuery(explanationOptions(campaign.id, contact.id))
  if (data?.kind === 'row') return <RecipientRow recipient={data.recipient} {...clock} />
  const { id, name, phone } = contact
  const written = phone === undefined ? undefined : writtenPhone(phone)
  return (
    <li className={styles['row']}>
      <div className={styles['head']}>
        <Link to={`/conversations?contact=${id}`} className={styles['name'] ?? ''} dir="auto">
          {name || written || 'A contact'}
        </Link>
        {data && <StatusBadge tone="neutral">Not in the campaign</StatusBadge>}
      </div>
      <p className={styles['facts']}>{name && written && <bdi>{written}</bdi>}</p>
      {data ? (
        <WhyNot explanation={data} timeZone={clock.timeZone} />
      ) : isLoadingError ? (
        <p className={styles['reason']}>The reason could not be loaded. Search again to retry.</p>
      ) : (
        <SkeletonBar height="40px" />
      )}
    </li>
  )
}

type NoRow = Extract<Explanation, { kind: 'no_row' }>

function WhyNot({ explanation, timeZone }: { explanation: NoRow; timeZone: string }) {
  const { conditions, why } = explanation
  return (
    <>
      <p className={styles['reason']}>{sentenceOf(explanation, timeZone)}</p>
      {conditions ? (
        <div className={styles['conditions']}>
          <AnswerTree answer={conditions} />
        </div>
      ) : (
        why !== 'added_later' && (
          <p className={styles['reason']}>
            The segment, import or campaign behind its audience no longer exists, so its conditions are unknown.
          </p>
        )
      )}
    </>
  )
}

function sentenceOf({ why, writtenAt, addedAt, conditions }: NoRow, timeZone: string): string {
  const at = (moment: string | undefined) => (moment === undefined ? '' : fullTime(new Date(moment), timeZone))
  const sentences: Record<Absence, string> = {
    not_written: 'The recipient list is still being created. Check again in a moment.',
    not_begun: conditions?.holds
      ? 'The campaign has not started. The contact is in its audience now and will get it unless another rule leaves them out.'
      : 'The campaign has not started, and the contact is not in its audience now.',
    added_later: `The contact was added on ${at(addedAt)}, after the recipient list was created on ${at(writtenAt)}.`,
    matches_now: `The contact is in the audience now, but was not when the recipient list was created on ${at(writtenAt)}.`,
    not_in_audience: 'The contact is not in the audience of this campaign.',
  }
  return sentences[why]
}
