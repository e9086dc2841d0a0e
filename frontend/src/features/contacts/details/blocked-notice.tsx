import type { Contact } from '@parley/contracts/contacts/contacts'
import { Button } from 'antd'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { useBlockContact } from '../../../lib/use-block-contact.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import styles from './contact-drawer.module.css'

/** Explains what being blocked means for this contact, and how to undo it. */
export function BlockedNotice({ contact }: { contact: Contact }) {
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
