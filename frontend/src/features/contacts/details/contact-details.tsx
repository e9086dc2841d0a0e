import type { Contact } from '@parley/contracts/contacts/contacts'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { useBlockContact } from '../../../lib/use-block-contact.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ConsentCard } from '../../../ui/contact/consent-card.tsx'
import parts from '../../../ui/contact/contact-parts.module.css'
import { ContactSegments } from '../../../ui/contact/contact-segments.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { ContactPhone, ContactTags } from '../list/contact-row.tsx'
import { WhySegment } from '../segments/why-segment.tsx'
import styles from './contact-drawer.module.css'
import { ContactFacts } from './contact-facts.tsx'

/** Identifies the contact. */
export function ContactHeading({ contact }: { contact: Contact }) {
  return (
    <div className={styles['heading']}>
      <Avatar name={contact.name} letters={2} size={40} />
      <div className={styles['who']}>
        <span className={styles['name']} dir="auto">
          {contact.name}
        </span>
        <span className={styles['phone']}>
          <ContactPhone contact={contact} />
          {contact.phone && <CopyButton what="phone number" text={contact.phone} />}
        </span>
      </div>
    </div>
  )
}

/** Details of a contact, with their conversations among them. */
export function ContactDetails({
  contact,
  segment,
  children,
}: {
  contact: Contact
  /** The one that the list is narrowed to. */
  segment?: string | undefined
  children?: ReactNode
}) {
  const clock = useClock(0)
  return (
    <>
      {contact.blocked && <BlockedNotice contact={contact} />}
      <section className={parts['part']} aria-labelledby="contact-tags">
        <h2 id="contact-tags">Tags</h2>
        {contact.tags.length > 0 ? (
          <ContactTags tags={contact.tags} most={contact.tags.length} />
        ) : (
          <p className={parts['quiet']}>No tags yet.</p>
        )}
      </section>
      {children}
      <ConsentCard contact={contact} clock={clock} />
      <ContactFacts contact={contact} clock={clock} />
      <section className={parts['part']} aria-labelledby="contact-segments">
        <h2 id="contact-segments">Segments</h2>
        <ContactSegments contact={contact} now={clock.now} />
        <WhySegment contact={contact} chosen={segment} now={clock.now} />
      </section>
    </>
  )
}

/** Explains what being blocked means for this contact, and how to undo it. */
function BlockedNotice({ contact }: { contact: Contact }) {
  const mayNotWrite = useIsRefused('contacts:write')
  const { setBlocked, isPending } = useBlockContact()
  return (
    <div className={styles['blocked']}>
      <StatusBadge tone="danger">Blocked</StatusBadge>
      <p>
        Nothing is sent to this contact.{' '}
        {contact.blockedAtWhatsApp
          ? 'They are also blocked on WhatsApp, so their messages do not arrive.'
          : 'WhatsApp can only block people who wrote in the last 24 hours. It will block them when they next write.'}
      </p>
      {!mayNotWrite && (
        <Button size="small" loading={isPending} onClick={() => void setBlocked(contact, false)}>
          Unblock
        </Button>
      )}
    </div>
  )
}
