import { writtenPhone } from '@parley/phone'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useIsRefused, useMemberName } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { useClock } from '../../../lib/use-clock.ts'
import parts from '../../../ui/contact/contact-parts.module.css'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { toast } from '../../../ui/toast.ts'
import page from '../page/contact-page.module.css'
import { mergedOptions, useUnmerge } from './api.ts'

/** Shows the contacts merged into a contact, and undoes a merge: the latest one first. */
export function MergedContacts({ contactId }: { contactId: string }) {
  const clock = useClock(0)
  const memberName = useMemberName()
  const mayNotWrite = useIsRefused('contacts:write')
  const { data = [] } = useQuery(mergedOptions(contactId))
  const { mutateAsync: unmerge, isPending } = useUnmerge()
  if (data.length === 0) return null

  async function undo(otherId: string, name: string): Promise<void> {
    try {
      await unmerge({ id: contactId, otherId })
      toast.success(`${name} is a contact of their own again.`)
    } catch (error) {
      toast.error(explain(error, 'The merge could not be undone. Try again.'))
    }
  }

  return (
    <section className={page['card']} aria-labelledby="contact-merged">
      <h2 id="contact-merged" className={page['title']}>
        Merged contacts
      </h2>
      <ol className={parts['history']}>
        {data.map(({ id, name, phone, at, memberId, undoUntil }, index) => (
          <li key={id}>
            <span className={parts['partHead']}>
              <span dir="auto">
                {name}
                {phone && <span className={parts['quiet']}> · {writtenPhone(phone)}</span>}
              </span>
              {index === 0 && !mayNotWrite && new Date(undoUntil) > clock.now && (
                <Button
                  size="small"
                  loading={isPending}
                  aria-label={`Undo the merge of ${name}`}
                  onClick={() => void undo(id, name)}
                >
                  Undo
                </Button>
              )}
            </span>
            <span className={parts['quiet']}>
              <Timestamp at={at} {...clock} />,{' '}
              {memberId === undefined ? 'reported by WhatsApp' : (memberName(memberId) ?? 'a member')}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
