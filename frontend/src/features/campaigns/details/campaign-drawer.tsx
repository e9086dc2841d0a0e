import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { useQuery } from '@tanstack/react-query'
import { Alert, Tabs } from 'antd'
import { useEffect } from 'react'
import { useClock } from '../../../lib/use-clock.ts'
import { useLast } from '../../../lib/use-last.ts'
import { DetailsDrawer } from '../../../ui/details-drawer.tsx'
import { HistoryLink } from '../../../ui/history-link.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { campaignOptions } from '../api.ts'
import { recentLabels, type Shown, sinceReviewLabels, statusLabels, waitLabels } from '../labels.ts'
import { CampaignActions } from './campaign-actions.tsx'
import { CampaignCostPart } from './campaign-cost.tsx'
import { CampaignTimes } from './campaign-times.tsx'
import styles from './details.module.css'
import { Funnel } from './funnel.tsx'
import type { OpenDraft } from './open-draft.ts'
import { PauseNote } from './pause-note.tsx'
import { RecipientsView } from './recipients-view.tsx'
import { SentTemplate } from './sent-template.tsx'
import { TimelineView } from './timeline-view.tsx'
import { SendUnconfirmedAgain } from './unconfirmed.tsx'

/** The details of one campaign, over the list. */
export function CampaignDrawer({
  id,
  recipients,
  timeline,
  onShow,
  onTimeline,
  onDraft,
  onClose,
}: {
  id: string | undefined
  /** Recipients listed; absent while the figures or the timeline show. */
  recipients: Shown | undefined
  timeline: boolean
  onShow: OnShow
  onTimeline: () => void
  /** Leads to the steps of a draft. */
  onDraft: OpenDraft
  onClose: () => void
}) {
  // While it closes it still shows its campaign.
  const shown = useLast(id)
  const query = useQuery({ ...campaignOptions(shown ?? ''), enabled: shown !== undefined })
  const isDraft = query.data?.status === 'draft'
  useEffect(() => {
    // A link to it as a campaign: it is written in its steps.
    if (id !== undefined && isDraft) onDraft(id, undefined, { replace: true })
  }, [id, isDraft, onDraft])
  const { data, error, isFetching, refetch } = query
  const campaign = { data: data?.status === 'draft' ? undefined : data, error, isFetching, refetch }
  return (
    <DetailsDrawer
      open={id !== undefined}
      onClose={onClose}
      what="campaign"
      width={520}
      record={campaign}
      title={({ name }) => <span dir="auto">{name}</span>}
      footer={(shownCampaign) => (
        <>
          <CampaignActions campaign={shownCampaign} onDraft={onDraft} />
          <HistoryLink id={shownCampaign.id} />
        </>
      )}
      failure="The campaign is not affected. Check your connection and try again."
      className={styles['details']}
    >
      {(shownCampaign) => (
        <Tabs
          activeKey={timeline ? 'timeline' : recipients ? 'recipients' : 'details'}
          onChange={(key) => (key === 'timeline' ? onTimeline() : onShow(key === 'recipients' ? 'all' : undefined))}
          destroyOnHidden
          items={[
            {
              key: 'details',
              label: 'Details',
              className: styles['details'] ?? '',
              children: <Details campaign={shownCampaign} onShow={onShow} onDraft={onDraft} />,
            },
            {
              key: 'recipients',
              label: 'Recipients',
              children: (
                <RecipientsView
                  campaign={shownCampaign}
                  shown={recipients ?? 'all'}
                  onShow={onShow}
                  onDraft={onDraft}
                />
              ),
            },
            {
              key: 'timeline',
              label: 'Timeline',
              className: styles['part'] ?? '',
              children: <TimelineView campaign={shownCampaign} />,
            },
          ]}
        />
      )}
    </DetailsDrawer>
  )
}

type OnShow = (recipients: Shown | undefined) => void

function Details({ campaign, onShow, onDraft }: { campaign: Campaign; onShow: OnShow; onDraft: OpenDraft }) {
  const { now, timeZone } = useClock(0)
  const { word, tone } = statusLabels[campaign.status]
  const sinceReview = sinceReviewLabels(campaign)
  const waits = waitLabels(campaign, timeZone)
  return (
    <>
      <p className={styles['lead']}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <span dir="auto">{campaign.audienceName}</span>
      </p>
      {campaign.recentDays !== undefined && (
        <p className={styles['summary']}>Leaves out {recentLabels(campaign.recentDays)}.</p>
      )}
      {campaign.retryHeldBack && (
        <p className={styles['summary']}>
          Contacts that WhatsApp holds back get it again a day after the campaign ends.
        </p>
      )}
      {sinceReview && <p className={styles['summary']}>{sinceReview}.</p>}
      <PauseNote campaign={campaign} onShow={onShow} />
      {waits !== undefined && <Alert type="info" showIcon role="status" title={waits} />}
      <Funnel
        counts={campaign.counts}
        clicks={campaign.clicks}
        again={<SendUnconfirmedAgain campaign={campaign} onDraft={onDraft} />}
        onShow={campaign.startedAt === undefined || campaign.recipientsRemoved ? undefined : onShow}
      />
      <CampaignCostPart campaign={campaign} />
      <CampaignTimes campaign={campaign} now={now} timeZone={timeZone} />
      <SentTemplate campaign={campaign} />
    </>
  )
}
