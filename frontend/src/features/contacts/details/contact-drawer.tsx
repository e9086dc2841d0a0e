import EditOutlined from '@ant-design/icons/EditOutlined'
import TagOutlined from '@ant-design/icons/TagOutlined'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useLast } from '../../../lib/use-last.ts'
import { ActionLink } from '../../../ui/action.tsx'
import { DetailsDrawer } from '../../../ui/details-drawer.tsx'
import { contactOptions } from '../api.ts'
import type { RowCommands } from '../list/contact-row.tsx'
import { ContactDetails, ContactHeading } from './contact-details.tsx'
import styles from './contact-drawer.module.css'
import { LastMessage } from './last-message.tsx'

interface Props {
  id: string | undefined
  /** The one that the list is narrowed to. */
  segment: string | undefined
  commands: Pick<RowCommands, 'onEdit' | 'onAddTags'>
  onClose: () => void
}

/** Drawer with all that is known of one contact, over the list. */
export function ContactDrawer({ id, segment, commands, onClose }: Props) {
  // While it closes it still shows its contact.
  const shown = useLast(id)
  const contact = useQuery({ ...contactOptions(shown ?? ''), enabled: shown !== undefined })
  return (
    <DetailsDrawer
      open={id !== undefined}
      onClose={onClose}
      what="contact"
      width={440}
      record={contact}
      title={(data) => <ContactHeading contact={data} />}
      footer={(data) => (
        <div className={styles['actions']}>
          <ActionLink to={`/contacts/${data.id}`}>Open page</ActionLink>
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
      {(data) => (
        <ContactDetails contact={data} segment={segment}>
          <LastMessage contact={data} />
        </ContactDetails>
      )}
    </DetailsDrawer>
  )
}
