import type { Contact } from '@parley/contracts/contacts/contacts'
import type { ReactNode } from 'react'
import { attributeLabel, useAttributes } from '../../../lib/choices/attributes.ts'
import { shownValue } from '../../../ui/contact/attribute-value.ts'
import parts from '../../../ui/contact/contact-parts.module.css'
import { Timestamp } from '../../../ui/timestamp.tsx'
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

/** Shows what is stored about a contact beside name, phone and tags. */
export function ContactFacts({ contact, clock }: { contact: Contact; clock: Clock }) {
  const defined = useAttributes()
  const { attributes, username, waUserId, source, createdAt } = contact
  return (
    <section className={parts['part']} aria-labelledby="contact-facts">
      <h2 id="contact-facts">About</h2>
      <dl className={styles['facts']}>
        <Fact label="Last contact">
          <LastContact contact={contact} {...clock} />
        </Fact>
        <Fact label="Added">
          <Timestamp at={createdAt} {...clock} />, {sources[source]}
        </Fact>
        {username && <Fact label="Username">@{username}</Fact>}
        {waUserId && (
          <Fact label="WhatsApp user id">
            <bdi>{waUserId}</bdi>
          </Fact>
        )}
        {Object.entries(attributes).map(([name, value]) => (
          <Fact key={name} label={attributeLabel(name, defined)}>
            <bdi>{shownValue(value, defined.find((one) => one.name === name)?.type)}</bdi>
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
