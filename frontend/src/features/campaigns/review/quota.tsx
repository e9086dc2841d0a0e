import { tighterMeter } from '@parley/contracts/usage/usage'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { usageOptions } from '../../../lib/choices/usage.ts'
import { formatCount, formatDay } from '../../../lib/format.ts'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import styles from '../new/new-broadcast.module.css'

/** Shows the plan's credits left when the campaign starts. Insufficient credits are a problem of the review. */
export function Quota({
  needs,
  at,
}: {
  /** Templates that it needs; undefined until known. */
  needs: number | undefined
  at: Date | undefined
}) {
  const { data: usage, isLoadingError, isFetching, refetch } = useQuery(usageOptions(at))
  if (isLoadingError && !isFetching)
    return (
      <p className={styles['lead']}>
        Your remaining plan allowance could not be loaded.{' '}
        <Button type="link" className={styles['again'] ?? ''} onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    )
  if (!usage) return <SkeletonBar height="140px" />
  if (!usage.limited) return null
  const meter = tighterMeter(usage)
  const { limit, used, held, left } = usage[meter]
  const lines = [
    ['This campaign needs', needs],
    [`${usage.plan} allows`, limit],
    [usage.sample?.[meter] ? 'Used, with the sample data' : 'Used', used],
    ['Held by campaigns', held],
  ] as const
  return (
    <section className={styles['part']} aria-label="Quota">
      <h3>Quota in {meter}</h3>
      <dl className={styles['lines']}>
        {lines.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{count === undefined ? '–' : formatCount(count)}</dd>
          </div>
        ))}
        <div data-total>
          <dt>Left</dt>
          <dd>{formatCount(left)}</dd>
        </div>
      </dl>
      <p className={styles['lead']}>
        {usage.renews
          ? `Renewed on ${formatDay(usage.to)}.`
          : `${usage.plan} ${usage.ended ? 'ended' : 'ends'} on ${formatDay(usage.to)}.`}
      </p>
    </section>
  )
}
