import type { Contact } from '@parley/contracts/contacts'
import type { ReactNode } from 'react'
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx'
import { When } from '../../../ui/when.tsx'
import { LastContact } from '../list/contact-row.tsx'
import styles from './contact-drawer.module.css'

interface Clock {
  readonly now: Date
  readonly timeZone: string
}

const consent: Record<Contact['optIn']['marketing'], { word: string; tone: Tone }> = {
  in: { word: 'Allowed', tone: 'success' },
  out: { word: 'Opted out', tone: 'danger' },
  unknown: { word: 'Not asked', tone: 'neutral' },
}

const sources: Record<Contact['source'], string> = {
  inbound: 'wrote to you',
  import: 'import',
  manual: 'by hand',
  api: 'API',
}

/** What is stored about a contact beside name, phone and tags. */
export function ContactFacts({ contact, clock }: { contact: Contact; clock: Clock }) {
  const { word, tone } = consent[contact.optIn.marketing]
  const { optIn, attributes, username, source, createdAt } = contact
  return (
    <section className={styles['part']} aria-labelledby="contact-facts">
      <h2 id="contact-facts">About</h2>
      <dl className={styles['facts']}>
        <Fact label="Last contact">
          <LastContact contact={contact} {...clock} />
        </Fact>
        <Fact label="Added">
          <When at={createdAt} {...clock} />, {sources[source]}
        </Fact>
        <Fact label="Marketing">
          <StatusBadge tone={tone}>{word}</StatusBadge>
          {optIn.at && optIn.marketing !== 'unknown' && (
            <span className={styles['quiet']}>
              {' '}
              <When at={optIn.at} {...clock} />, by {optIn.source}
            </span>
          )}
        </Fact>
        {username && <Fact label="Username">@{username}</Fact>}
        {Object.entries(attributes).map(([name, value]) => (
          <Fact key={name} label={`${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
