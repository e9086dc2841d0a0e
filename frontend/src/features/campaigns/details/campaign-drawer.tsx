import type { Campaign } from '@parley/contracts/campaigns'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { ApiError } from '../../../lib/api.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Bone, Skeleton } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { campaignOptions } from '../api.ts'
import { statusWords } from '../words.ts'
import { CampaignActions } from './campaign-actions.tsx'
import { CampaignTimes } from './campaign-times.tsx'
import styles from './details.module.css'
import { Funnel } from './funnel.tsx'
import { SentTemplate } from './sent-template.tsx'

/** The details of one campaign, over the list. */
export function CampaignDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { data } = useQuery({ ...campaignOptions(id ?? ''), enabled: id !== undefined })
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      size="min(520px, 100vw)"
      title={<span dir="auto">{id !== undefined ? (data?.name ?? 'Campaign') : ''}</span>}
      closable={{ 'aria-label': 'Close details', placement: 'end' }}
      destroyOnHidden
      footer={data && <CampaignActions campaign={data} />}
    >
      {id !== undefined && <Body id={id} onClose={onClose} />}
    </Drawer>
  )
}

function Body({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(campaignOptions(id))
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState
        title="This campaign is not here"
        message="It may have been deleted, or the link is not complete."
        action={<Button onClick={onClose}>Show all campaigns</Button>}
      />
    )
  if (error && !isFetching)
    return (
      <ErrorState
        title="The campaign could not be loaded"
        message="It goes on as it was. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data)
    return (
      <Skeleton className={styles['details']}>
        <Bone width="40%" height="24px" />
        <Bone height="220px" />
        <Bone height="180px" />
      </Skeleton>
    )
  return <Details campaign={data} />
}

function Details({ campaign }: { campaign: Campaign }) {
  const { now, timeZone } = useClock(0)
  const { word, tone } = statusWords[campaign.status]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is longer than the window, and the keyboard must scroll it.
    <section className={styles['details']} aria-label="Details" tabIndex={0}>
      <p className={styles['lead']}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <span dir="auto">{campaign.audienceName}</span>
      </p>
      <Funnel counts={campaign.counts} />
      <CampaignTimes campaign={campaign} now={now} timeZone={timeZone} />
      <SentTemplate campaign={campaign} />
    </section>
  )
}
