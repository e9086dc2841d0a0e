import type { ConversationHistory } from '@parley/contracts/inbox/conversations'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { campaignsOfContactOptions } from '../../../lib/campaigns-of-contact.ts'
import { useMay, useMemberName } from '../../../lib/choices/members.ts'
import { Link } from '../../../lib/navigation.ts'
import { recipientLabels } from '../../../lib/recipient-labels.ts'
import { ConsentCard } from '../../../ui/contact/consent-card.tsx'
import { ContactSegments } from '../../../ui/contact/contact-segments.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { RelativeTime } from '../../../ui/timestamp.tsx'
import { contactOptions } from '../composer/contact-variables.ts'
import { ContactFields } from './contact-fields.tsx'
import styles from './contact-parts.module.css'

type Note = ConversationHistory['notes'][number]
interface Clock {
  readonly now: Date
  readonly timeZone: string
}

interface Props {
  contactId: string
  /** The latest notes; absent while they are read. */
  notes: readonly Note[] | undefined
  clock: Clock
  onShowNote: (note: Note) => void
  onAddNote: () => void
}

/** Shows whether a contact agrees to marketing and how that is known, their fields, what the team has noted, segments and campaigns. */
export function ContactParts({ contactId, notes, clock, onShowNote, onAddNote }: Props) {
  const { data: contact, isLoadingError, isFetching, refetch } = useQuery(contactOptions(contactId))
  if (!contact)
    return (
      <section>
        {isLoadingError && !isFetching ? (
          <ErrorState message="The contact could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <SkeletonBlocks count={3} height="72px" />
        )}
      </section>
    )
  return (
    <>
      <div className={styles['consent']}>
        <ConsentCard contact={contact} clock={clock} />
      </div>
      <ContactFields contact={contact} />
      <Notes notes={notes} clock={clock} onShow={onShowNote} onAdd={onAddNote} />
      <section aria-labelledby="panel-segments">
        <h3 id="panel-segments">Segments</h3>
        <ContactSegments contact={contact} now={clock.now} />
      </section>
      <Campaigns contactId={contactId} clock={clock} />
    </>
  )
}

interface NotesProps {
  notes: Props['notes']
  clock: Clock
  onShow: Props['onShowNote']
  onAdd: () => void
}

function Notes({ notes, clock, onShow, onAdd }: NotesProps) {
  const memberName = useMemberName()
  const mayWrite = useMay('conversations:write') === true
  return (
    <section aria-labelledby="panel-notes">
      <div className={styles['head']}>
        <h3 id="panel-notes">Notes</h3>
        {mayWrite && (
          <Button size="small" onClick={onAdd}>
            Add note
          </Button>
        )}
      </div>
      {notes?.length === 0 && <p className={styles['quiet']}>No notes yet.</p>}
      <ul className={styles['list']}>
        {notes?.map((note) => (
          <li key={note.id}>
            <button type="button" className={styles['note']} onClick={() => onShow(note)}>
              <span className={styles['text']} dir="auto">
                {note.text}
              </span>
              <span className={styles['quiet']}>
                {note.memberId === undefined ? 'An automation' : memberName(note.memberId)} ·{' '}
                <RelativeTime at={note.at} {...clock} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const shownCampaigns = 5

/** Lists the latest campaigns that were sent to the contact. */
function Campaigns({ contactId, clock }: { contactId: string; clock: Clock }) {
  const mayRead = useMay('campaigns:read') === true
  const { data, isLoadingError, isFetching, refetch } = useQuery({
    ...campaignsOfContactOptions(contactId),
    enabled: mayRead,
  })
  if (!mayRead) return null
  const sent = data?.filter(({ state }) => state !== 'left_out' && state !== 'waiting')
  return (
    <section aria-labelledby="panel-campaigns">
      <h3 id="panel-campaigns">Campaigns</h3>
      {isLoadingError && !isFetching && (
        <ErrorState message="The campaigns could not be loaded." onRetry={() => void refetch()} />
      )}
      {sent?.length === 0 && <p className={styles['quiet']}>None received yet.</p>}
      <ul className={styles['list']}>
        {sent?.slice(0, shownCampaigns).map(({ id, campaignId, campaignName, startedAt, state, clicked, replied }) => (
          <li key={id}>
            <Link to={`/broadcasts?id=${campaignId}`} className={styles['campaign'] ?? ''} dir="auto">
              {campaignName}
            </Link>
            <span className={styles['outcome']}>
              <StatusBadge tone={recipientLabels[state].tone}>{recipientLabels[state].word}</StatusBadge>
              <span className={styles['quiet']}>
                {[clicked && 'Clicked', replied && 'Replied'].filter(Boolean).map((word) => `${word} · `)}
                <RelativeTime at={startedAt} {...clock} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {sent && sent.length > shownCampaigns && (
        <Link to={`/contacts/${contactId}`} className={styles['more'] ?? ''}>
          All {sent.length} campaigns
        </Link>
      )}
    </section>
  )
}
