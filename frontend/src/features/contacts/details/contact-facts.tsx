import type { Contact } from '@parley/contracts/contacts'
import type { ReactNode } from 'react'
import { When } from '../../../ui/when.tsx'
import { LastContact } from '../list/contact-row.tsx'
import styles from './contact-drawer.module.css'

interface Clock {
  readonly now: Date
  readonly timeZone: string
}

const sources: Record<Contact['source'], string> = {
  inbound: 'wrote to you',
  import: 'import',
  manual: 'by hand',
  api: 'API',
}

/** What is stored about a contact beside name, phone and tags. */
export function ContactFacts({ contact, clock }: { contact: Contact; clock: Clock }) {
  const { attributes, username, waUserId, source, createdAt } = contact
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
        {username && <Fact label="Username">@{username}</Fact>}
        {waUserId && (
          <Fact label="WhatsApp user id">
            <bdi>{waUserId}</bdi>
          </Fact>
        )}
        {Object.entries(attributes).map(([name, value]) => (
          <Fact key={name} label={attributeLabel(name)}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </dl>
    </section>
  )
}

/** As people read it: `City`, `Last order`. */
export const attributeLabel = (name: string): string =>
  `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
