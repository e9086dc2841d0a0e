import { Button } from 'antd'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import type { ContactsUrl } from '../url.ts'
import styles from './contact-browser.module.css'

/** A search that could not look at everybody says how far it came; going on is the person's choice. */
export function SearchedSoFar({
  to,
  sort,
  isEmpty,
  timeZone,
  onContinue,
}: {
  to: string | null
  sort: NonNullable<ContactsUrl['sort']>
  isEmpty: boolean
  timeZone: string
  onContinue: () => void
}) {
  return (
    <div className={styles['soFar']} role="status">
      <p>
        {isEmpty && 'Nobody found so far. '}
        {placeOf(to, sort, timeZone)}
      </p>
      <Button onClick={onContinue}>Continue Search</Button>
    </div>
  )
}

function placeOf(to: string | null, sort: NonNullable<ContactsUrl['sort']>, timeZone: string): string {
  if (to === null) return 'Searched everyone who has been in contact, and some other contacts.'
  if (sort === 'name') return `Searched names up to “${to}”.`
  const day = dateTimeFormat(undefined, { timeZone, dateStyle: 'medium' }).format(new Date(to))
  return sort === 'newest' ? `Searched contacts added since ${day}.` : `Searched contacts back to ${day}.`
}
