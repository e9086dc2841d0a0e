import { consentApi } from '@parley/contracts/contacts/consent'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { Message } from '@parley/contracts/inbox/messages'
import { asksToStop } from '@parley/rules/consent-commands'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo } from 'react'
import { call } from '../../../lib/api.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { contactKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'
import { toast } from '../../../ui/toast.ts'
import styles from '../thread/message-bubble.module.css'

interface Props {
  message: Message
  contactId: string
}

/** Line under a customer's message that asks for no more marketing in more words than Parley acts on by itself. */
export function OptOutLine({ message, contactId }: Props) {
  const { content } = message
  const text = 'text' in content ? content.text : 'caption' in content ? (content.caption ?? '') : ''
  const asks = useMemo(() => asksToStop(text), [text])
  const mayNotWrite = useIsRefused('contacts:write')
  return asks && !mayNotWrite ? <Offer message={message} contactId={contactId} text={text} /> : null
}

function Offer({ message, contactId, text }: Props & { text: string }) {
  const client = useQueryClient()
  const { data: consent } = useQuery({
    queryKey: contactKeys.marketing(contactId),
    queryFn: async ({ signal }) => (await call(contactsApi.read, { params: { id: contactId }, signal })).optIn,
  })
  const { mutate, isPending } = useChange({
    run: (note: string, intent) =>
      call(consentApi.record, {
        params: { id: contactId },
        body: { category: 'marketing', value: 'out', note },
        ...intent,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: contactKeys.all }),
  })
  // A later consent entry has settled it.
  const isSettled = consent?.marketing === 'out' || (consent?.at ?? '') > message.sentAt
  if (!consent || isSettled) return null
  const optOut = () =>
    mutate(`Wrote: ${text}`.slice(0, 500), {
      onSuccess: () => toast.success('The contact gets no more marketing.'),
      onError: (error) => toast.error(explain(error, 'The opt-out could not be recorded. Try again.')),
    })
  return (
    <p className={styles['state']}>
      This may ask for no more marketing.{' '}
      <Button size="small" loading={isPending} onClick={optOut}>
        Opt out?
      </Button>
    </p>
  )
}
