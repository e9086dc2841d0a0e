import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { useWorkspaceZone } from '../../../lib/choices/sending-hours.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { audienceOptions } from '../api.ts'
import { exclusionsOf } from '../labels.ts'
import type { Draft } from './draft.ts'
import { questionOf } from './draft-fields.ts'
import styles from './new-broadcast.module.css'

/** Shows how many contacts the audience has now, which are left out and why, and how many get the message. */
export function Reach() {
  const { timeZone } = useWorkspaceZone()
  const question = questionOf(useFormContext<Draft>().watch(), timeZone)
  const { data, isLoadingError, isFetching, isPlaceholderData, refetch } = useQuery({
    ...audienceOptions(question),
    placeholderData: keepPreviousData,
  })
  return (
    <section className={styles['panel']} aria-labelledby="reach">
      <h3 id="reach">Reach</h3>
      {!question ? (
        <p className={styles['lead']}>Choose who gets the message to see how many it reaches.</p>
      ) : isLoadingError && !isFetching ? (
        <ErrorState title="Not counted" message="The audience could not be counted." onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonBar height="96px" />
      ) : (
        <div aria-live="polite" aria-busy={isPlaceholderData}>
          <p className={styles['figure']}>{formatCount(data.reachable)}</p>
          <p className={styles['lead']}>of {formatCount(data.audience)} contacts get the message</p>
          <dl className={styles['lines']}>
            {exclusionsOf(data.excluded).map(({ reason, count }) => (
              <div key={reason}>
                <dt>Left out: {reason}</dt>
                <dd>{formatCount(count)}</dd>
              </div>
            ))}
            <div>
              <dt>Cost</dt>
              <dd>{counted(data.reachable, 'credit')}</dd>
            </div>
          </dl>
        </div>
      )}
    </section>
  )
}
