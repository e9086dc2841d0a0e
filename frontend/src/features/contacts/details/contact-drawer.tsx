import EditOutlined from '@ant-design/icons/EditOutlined'
import TagOutlined from '@ant-design/icons/TagOutlined'
import type { Contact } from '@parley/contracts/contacts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useClock } from '../../../lib/use-clock.ts'
import { useLast } from '../../../lib/use-last.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DetailsDrawer } from '../../../ui/details-drawer.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { contactOptions } from '../api.ts'
import { ContactPhone, ContactTags, type RowCommands } from '../list/contact-row.tsx'
import { WhySegment } from '../segments/why-segment.tsx'
import { ConsentCard } from './consent-card.tsx'
import styles from './contact-drawer.module.css'
import { ContactFacts } from './contact-facts.tsx'
import { LastMessage } from './last-message.tsx'

interface Props {
  id: string | undefined
  /** The one that the list is narrowed to. */
  segment: string | undefined
  commands: Pick<RowCommands, 'onEdit' | 'onAddTags'>
  onClose: () => void
}

/** All that is known of one contact, over the list. */
export function ContactDrawer({ id, segment, commands, onClose }: Props) {
  // While it closes it still shows whom it was about.
  const shown = useLast(id)
  const contact = useQuery({ ...contactOptions(shown ?? ''), enabled: shown !== undefined })
  return (
    <DetailsDrawer
      open={id !== undefined}
      onClose={onClose}
      what="contact"
      width={440}
      record={contact}
      title={(data) => <Heading contact={data} />}
      footer={(data) => (
        <div className={styles['actions']}>
          <Button icon={<TagOutlined aria-hidden />} onClick={() => commands.onAddTags(data)}>
            Add Tags
          </Button>
          <Button icon={<EditOutlined aria-hidden />} onClick={() => commands.onEdit(data)}>
            Edit Contact
          </Button>
        </div>
      )}
      failure="Nothing is lost. Check your connection and try again."
      className={styles['details']}
    >
      {(data) => <Details contact={data} segment={segment} />}
    </DetailsDrawer>
  )
}

function Heading({ contact }: { contact: Contact }) {
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

function Details({ contact, segment }: { contact: Contact; segment: string | undefined }) {
  const clock = useClock(0)
  return (
    <>
      {contact.blocked && (
        <p className={styles['blocked']}>
          <StatusBadge tone="danger">Blocked</StatusBadge>
          <span>Nothing is sent to this contact.</span>
        </p>
      )}
      <section className={styles['part']} aria-labelledby="contact-tags">
        <h2 id="contact-tags">Tags</h2>
        {contact.tags.length > 0 ? (
          <ContactTags tags={contact.tags} most={contact.tags.length} />
        ) : (
          <p className={styles['quiet']}>No tags yet.</p>
        )}
      </section>
      <LastMessage contact={contact} clock={clock} />
      <ConsentCard contact={contact} clock={clock} />
      <ContactFacts contact={contact} clock={clock} />
      <section className={styles['part']} aria-labelledby="contact-segments">
        <h2 id="contact-segments">Segments</h2>
        <WhySegment contact={contact} chosen={segment} now={clock.now} />
      </section>
    </>
  )
}
