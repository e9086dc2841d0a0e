import type { Segment } from '@parley/contracts/contacts'
import { useQuery } from '@tanstack/react-query'
import { formatConstant } from '../../../lib/format.ts'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { segmentOptions } from '../api.ts'
import styles from './segment-cards.module.css'

/** Stand while they are read, so that nothing moves; names as in specification section 2. */
const expected = [
  { id: 'all', name: 'All Contacts', description: 'Everyone' },
  { id: 'vip', name: 'VIP', description: 'Tagged vip' },
  { id: 'leads', name: 'Leads', description: 'Tagged lead' },
  { id: 'active', name: 'Active', description: 'Contacted in the last 30 days' },
] as const

/** Saved filters with their counts; the pressed one is applied. */
export function SegmentCards({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const { data, isError } = useQuery(segmentOptions())
  const segments: readonly (Pick<Segment, 'id' | 'name' | 'description'> & { count?: number })[] = data ?? expected
  return (
    <fieldset className={styles['cards']} aria-label="Segments">
      {segments.map(({ id, name, description, count }) => (
        <button
          key={id}
          type="button"
          className={styles['card']}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          <span className={styles['name']}>{name}</span>
          <span className={styles['count']}>
            {count === undefined ? isError ? '–' : <SkeletonBar width="2.5em" height="1.3em" /> : formatConstant(count)}
          </span>
          <span className={styles['hint']}>{description}</span>
        </button>
      ))}
    </fieldset>
  )
}
