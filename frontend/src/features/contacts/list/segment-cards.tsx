import { builtInSegments, type Segment } from '@parley/contracts/contacts/segments'
import { useQuery } from '@tanstack/react-query'
import { formatConstant } from '../../../lib/format.ts'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { segmentOptions } from '../api.ts'
import styles from './segment-cards.module.css'

/** The segments that every workspace has, with their counts; the pressed one is applied. They stand while they are counted. */
export function SegmentCards({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const { data, isLoadingError } = useQuery(segmentOptions())
  const segments: readonly (Pick<Segment, 'id' | 'name' | 'description'> & Partial<Pick<Segment, 'count'>>)[] =
    data?.filter(({ version }) => version === undefined) ?? builtInSegments
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
            {typeof count !== 'number' ? (
              isLoadingError || count === null ? (
                '–'
              ) : (
                <SkeletonBar width="2.5em" height="1.3em" />
              )
            ) : (
              formatConstant(count)
            )}
          </span>
          <span className={styles['hint']}>{description}</span>
        </button>
      ))}
    </fieldset>
  )
}
