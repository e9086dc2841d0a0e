import EditOutlined from '@ant-design/icons/EditOutlined'
import TagOutlined from '@ant-design/icons/TagOutlined'
import type { Contact } from '@parley/contracts/contacts'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { ApiError } from '../../../lib/api.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { useLast } from '../../../lib/use-last.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Bone, Skeleton } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { contactOptions } from '../api.ts'
import { ContactPhone, ContactTags, type RowCommands } from '../list/contact-row.tsx'
import styles from './contact-drawer.module.css'
import { ContactFacts } from './contact-facts.tsx'
import { LastMessage } from './last-message.tsx'

interface Props {
  id: string | undefined
  commands: Pick<RowCommands, 'onEdit' | 'onAddTags'>
  onClose: () => void
}

/** All that is known of one contact, over the list. */
export function ContactDrawer({ id, commands, onClose }: Props) {
  // While it closes it still shows whom it was about.
  const shown = useLast(id)
  const { data } = useQuery({ ...contactOptions(shown ?? ''), enabled: shown !== undefined })
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      size="min(440px, 100vw)"
      title={data ? <Heading contact={data} /> : 'Contact'}
      closable={{ 'aria-label': 'Close contact', placement: 'end' }}
      destroyOnHidden
      footer={
        data && (
          <div className={styles['actions']}>
            <Button icon={<TagOutlined aria-hidden />} onClick={() => commands.onAddTags(data)}>
              Add Tags
            </Button>
            <Button icon={<EditOutlined aria-hidden />} onClick={() => commands.onEdit(data)}>
              Edit Contact
            </Button>
          </div>
        )
      }
    >
      {shown !== undefined && <Body id={shown} onClose={onClose} />}
    </Drawer>
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

function Body({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(contactOptions(id))
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState
        title="This contact is not here"
        message="It may have been deleted, or the link may be wrong."
        action={<Button onClick={onClose}>Back to contacts</Button>}
      />
    )
  if (error && !isFetching)
    return (
      <ErrorState
        title="The contact could not be loaded"
        message="Nothing is lost. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data)
    return (
      <Skeleton className={styles['details']}>
        <Bone width="60%" height="24px" />
        <Bone height="96px" />
        <Bone height="160px" />
      </Skeleton>
    )
  return <Details contact={data} />
}

function Details({ contact }: { contact: Contact }) {
  const clock = useClock(0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than the window, and the keyboard must scroll it.
    <section className={styles['details']} aria-label="Details" tabIndex={0}>
      {contact.blocked && (
        <p className={styles['blocked']}>
          <StatusBadge tone="danger">Blocked</StatusBadge>
          <span>Nothing is sent to this contact.</span>
        </p>
      )}
      <section className={styles['part']} aria-labelledby="contact-tags">
        <h2 id="contact-tags">Tags</h2>
        {contact.tags.length > 0 ? (
          <ContactTags tags={contact.tags} all />
        ) : (
          <p className={styles['quiet']}>No tags yet.</p>
        )}
      </section>
      <LastMessage contact={contact} clock={clock} />
      <ContactFacts contact={contact} clock={clock} />
    </section>
  )
}
