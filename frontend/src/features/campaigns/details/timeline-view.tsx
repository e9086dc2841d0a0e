import type { CampaignTimelineItem } from '@parley/contracts/campaigns/campaign-timeline'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemberName } from '../../../lib/choices/members.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { useOwnId } from '../../../lib/user.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { timelineOptions } from './results-api.ts'
import styles from './timeline.module.css'
import { detailOf, type Known, sentenceOf } from './timeline-labels.tsx'

/** Shows members' actions on a campaign and automatic events, the latest first. */
export function TimelineView({ campaign: { id } }: { campaign: Campaign }) {
  const { now, timeZone } = useClock(0)
  const nameOf = useMemberName()
  const ownId = useOwnId()
  const who: Known['who'] = (memberId) => {
    if (memberId === undefined) return 'Parley'
    return memberId === ownId ? 'You' : (nameOf(memberId) ?? 'A member')
  }
  const { data, isLoadingError, isFetching, refetch, ...earlier } = useInfiniteQuery(timelineOptions(id))
  const items = data?.pages.flatMap((page) => page.items)
  if (!items)
    return isLoadingError && !isFetching ? (
      <ErrorState message="The timeline could not be loaded." onRetry={() => void refetch()} />
    ) : (
      <SkeletonBar height="240px" />
    )
  if (items.length === 0)
    return <p className={styles['when']}>Nothing is recorded: this campaign is older than the timeline.</p>
  return (
    <>
      <ol className={styles['list']} aria-label="Timeline">
        {items.map((item) => (
          <Entry key={item.id} item={item} known={{ who, timeZone }} now={now} />
        ))}
      </ol>
      {earlier.isFetchNextPageError && <p role="alert">Earlier entries could not be loaded. Try again.</p>}
      {earlier.hasNextPage && (
        <div>
          <Button loading={earlier.isFetchingNextPage} onClick={() => void earlier.fetchNextPage()}>
            Show earlier
          </Button>
        </div>
      )}
    </>
  )
}

function Entry({ item, known, now }: { item: CampaignTimelineItem; known: Known; now: Date }) {
  const detail = detailOf(item)
  return (
    <li className={styles['item']}>
      <span>{sentenceOf(item, known)}</span>
      {detail && (
        <span className={styles['detail']} dir="auto">
          {detail}
        </span>
      )}
      <span className={styles['when']}>
        <Timestamp at={item.at} now={now} timeZone={known.timeZone} />
      </span>
    </li>
  )
}
