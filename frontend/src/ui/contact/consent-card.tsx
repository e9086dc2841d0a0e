import type { ConsentEntry } from '@parley/contracts/contacts/consent'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useMemberName } from '../../lib/choices/members.ts'
import { ErrorState } from '../error-state.tsx'
import { SkeletonBar } from '../skeleton.tsx'
import { StatusBadge, type Tone } from '../status-badge.tsx'
import { Timestamp } from '../timestamp.tsx'
import { consentOptions } from './consent-api.ts'
import styles from './consent-card.module.css'
import { evidenceOf, valueLabels } from './consent-labels.ts'
import parts from './contact-parts.module.css'
import { RecordConsent } from './record-consent.tsx'

interface Clock {
  readonly now: Date
  readonly timeZone: string
}

const states: Record<Contact['optIn']['marketing'], { word: string; tone: Tone; what: string }> = {
  in: { word: 'Allowed', tone: 'success', what: 'Campaigns may reach this contact.' },
  out: { word: 'Opted out', tone: 'danger', what: 'No marketing is sent, but replies still are.' },
  unknown: { word: 'Not asked', tone: 'neutral', what: 'Marketing needs their consent first.' },
}
const shownAtFirst = 3

/** Shows whether a contact may be sent marketing, why, and earlier entries. */
export function ConsentCard({ contact, clock }: { contact: Contact; clock: Clock }) {
  const [isRecording, setRecording] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  const { data, isLoadingError, isFetching, refetch } = useQuery(consentOptions(contact.id))
  const { word, tone, what } = states[contact.optIn.marketing]
  const entries = data?.items ?? []
  const shown = showsAll ? entries : entries.slice(0, shownAtFirst)
  return (
    <section className={parts['part']} aria-labelledby="contact-consent">
      <div className={parts['partHead']}>
        <h2 id="contact-consent">Consent</h2>
        <Button size="small" onClick={() => setRecording(true)}>
          Record consent
        </Button>
      </div>
      <p className={styles['state']}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <span className={parts['quiet']}>{what}</span>
      </p>
      {data ? (
        entries.length > 0 && (
          <ol className={parts['history']} aria-label="Consent history">
            {shown.map((entry) => (
              <Entry key={entry.id} entry={entry} clock={clock} />
            ))}
          </ol>
        )
      ) : isLoadingError && !isFetching ? (
        <ErrorState message="The history could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="48px" />
      )}
      {entries.length > shownAtFirst && !showsAll && (
        <Button type="link" size="small" className={styles['more'] ?? ''} onClick={() => setShowsAll(true)}>
          Show all {entries.length}
        </Button>
      )}
      <RecordConsent open={isRecording} contact={contact} onClose={() => setRecording(false)} />
    </section>
  )
}

function Entry({ entry, clock }: { entry: ConsentEntry; clock: Clock }) {
  const memberName = useMemberName()
  const { at } = entry
  return (
    <li>
      <span>
        {valueLabels(entry)}
        <span className={parts['quiet']}>
          {' '}
          · <Timestamp at={at} {...clock} />
        </span>
      </span>
      <span className={parts['quiet']} dir="auto">
        {evidenceOf(entry, memberName(entry.memberId))}
      </span>
    </li>
  )
}
