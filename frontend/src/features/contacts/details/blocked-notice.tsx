import type { Contact } from '@parley/contracts/contacts'
import { Button } from 'antd'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { useBlockContact } from '../../../lib/use-block-contact.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import styles from './contact-drawer.module.css'

/** What being blocked means for this contact, and the way out of it. */
export function BlockedNotice({ contact }: { contact: Contact }) {
  const mayNotWrite = useIsRefused('contacts:write')
  const { setBlocked, isPending } = useBlockContact()
  return (
    <div className={styles['blocked']}>
      <StatusBadge tone="danger">Blocked</StatusBadge>
      <p>
        Nothing is sent to this contact.{' '}
        {contact.blockedAtWhatsApp
          ? 'WhatsApp blocks them too: what they write does not arrive.'
          : 'WhatsApp blocks only people who have written in the last 24 hours: with their next message it blocks them too.'}
      </p>
      {!mayNotWrite && (
        <Button size="small" loading={isPending} onClick={() => void setBlocked(contact, false)}>
          Unblock
        </Button>
      )}
    </div>
  )
}
