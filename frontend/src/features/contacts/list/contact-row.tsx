import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import MessageOutlined from '@ant-design/icons/MessageOutlined'
import TagOutlined from '@ant-design/icons/TagOutlined'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { writtenPhone } from '@parley/phone'
import { useTags } from '../../../lib/choices/tags.ts'
import { Link } from '../../../lib/navigation.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Hint } from '../../../ui/hint.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import styles from './contact-row.module.css'

export interface RowCommands {
  readonly onOpen: (contact: Contact) => void
  readonly onEdit: (contact: Contact) => void
  readonly onAddTags: (contact: Contact) => void
  /** Absent for members who may not. */
  readonly onDelete?: (contact: Contact) => void
}

/** Cell with avatar and name; the name opens the contact. */
export function ContactName({ contact, onOpen }: { contact: Contact; onOpen: RowCommands['onOpen'] }) {
  return (
    <span className={styles['person']}>
      <Avatar name={contact.name} letters={2} size={32} />
      <button type="button" className={styles['name']} dir="auto" title={contact.name} onClick={() => onOpen(contact)}>
        {contact.name}
      </button>
    </span>
  )
}

/** Phone number in international form; a customer who hides it has a user name instead. */
export function ContactPhone({ contact: { phone, username, waUserId } }: { contact: Contact }) {
  if (phone) return <bdi className={styles['phone']}>{writtenPhone(phone)}</bdi>
  return <bdi className={styles['phone']}>{username ? `@${username}` : waUserId}</bdi>
}

/** The first tags, and how many more there are. */
export function ContactTags({ tags, most = 3 }: { tags: readonly string[]; most?: number }) {
  const known = useTags()
  const hidden = tags.slice(most)
  return (
    <span className={styles['tags']}>
      {tags.slice(0, most).map((tag) => (
        <Pill key={tag} colour={known.find(({ name }) => name === tag)?.colour ?? 'grey'}>
          {tag}
        </Pill>
      ))}
      {hidden.length > 0 && (
        <Hint text={hidden.join(', ')} className={styles['more']}>
          +{hidden.length}
        </Hint>
      )}
    </span>
  )
}

export function LastContact({ contact, ...clock }: { contact: Contact; now: Date; timeZone: string }) {
  if (!contact.lastContactAt) return 'Never'
  return <Timestamp at={contact.lastContactAt} {...clock} />
}

/** The message button and the menu. */
export function RowActions({
  contact,
  onEdit,
  onAddTags,
  onDelete,
}: { contact: Contact } & Omit<RowCommands, 'onOpen'>) {
  return (
    <span className={styles['actions']}>
      <Tooltip text="Message">
        <Link
          className={styles['message']}
          to={`/conversations?contact=${contact.id}`}
          aria-label={`Message ${contact.name}`}
        >
          <MessageOutlined aria-hidden />
        </Link>
      </Tooltip>
      <RowMenu
        label={`Actions for ${contact.name}`}
        actions={[
          { key: 'edit', label: 'Edit Contact', icon: <EditOutlined aria-hidden />, onSelect: () => onEdit(contact) },
          { key: 'tags', label: 'Add Tags', icon: <TagOutlined aria-hidden />, onSelect: () => onAddTags(contact) },
          ...(onDelete
            ? [
                {
                  key: 'delete',
                  label: 'Delete',
                  icon: <DeleteOutlined aria-hidden />,
                  danger: true,
                  onSelect: () => onDelete(contact),
                },
              ]
            : []),
        ]}
      />
    </span>
  )
}
