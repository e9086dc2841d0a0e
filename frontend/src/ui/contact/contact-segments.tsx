import type { Contact } from '@parley/contracts/contacts/contacts'
import { explainGroup } from '@parley/flow/conditions'
import { contactValues } from '@parley/flow/contact-values'
import { useQuery } from '@tanstack/react-query'
import { segmentChoices } from '../../lib/choices/segments.ts'
import { Link } from '../../lib/navigation.ts'
import styles from './contact-segments.module.css'

/** Lists the segments that a contact is in now; each leads to its contacts. */
export function ContactSegments({ contact, now }: { contact: Contact; now: Date }) {
  const { data } = useQuery(segmentChoices())
  if (!data) return null
  const values = contactValues(contact)
  const those = data.filter(({ filter }) => filter.conditions.length > 0 && explainGroup(filter, values, now).holds)
  if (those.length === 0) return <p className={styles['quiet']}>In no segment.</p>
  return (
    <ul className={styles['segments']} aria-label="In these segments">
      {those.map(({ id, name }) => (
        <li key={id}>
          <Link to={`/contacts?segment=${id}`} className={styles['segment'] ?? ''} dir="auto">
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}
