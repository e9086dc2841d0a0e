import type { Campaign, Missed } from '@parley/contracts/campaigns'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useClock } from '../../../lib/use-clock.ts'
import { useLast } from '../../../lib/use-last.ts'
import { DetailsDrawer } from '../../../ui/details-drawer.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { campaignOptions } from '../api.ts'
import { recentWords, type Shown, statusWords, waitWords } from '../words.ts'
import { CampaignActions } from './campaign-actions.tsx'
import { CampaignCostPart } from './campaign-cost.tsx'
import { CampaignTimes } from './campaign-times.tsx'
import styles from './details.module.css'
import { Funnel } from './funnel.tsx'
import { PauseNote } from './pause-note.tsx'
import { RecipientsView } from './recipients-view.tsx'
import { SentTemplate } from './sent-template.tsx'

/** The details of one campaign, over the list. */
export function CampaignDrawer({
  id,
  recipients,
  onShow,
  onFollowUp,
  onClose,
}: {
  id: string | undefined
  /** Which of its recipients are listed; nobody while its figures stand there. */
  recipients: Shown | undefined
  onShow: OnShow
  onFollowUp: (id: string, missed: Missed) => void
  onClose: () => void
}) {
  // While it closes it still shows what it was about.
  const shown = useLast(id)
  const campaign = useQuery({ ...campaignOptions(shown ?? ''), enabled: shown !== undefined })
  return (
    <DetailsDrawer
      open={id !== undefined}
      onClose={onClose}
      what="campaign"
      width={520}
      record={campaign}
      title={({ name }) => <span dir="auto">{name}</span>}
      footer={(data) => <CampaignActions campaign={data} onFollowUp={(missed) => onFollowUp(data.id, missed)} />}
      failure="The campaign is not affected. Check your connection and try again."
      className={styles['details']}
    >
      {(data) =>
        recipients ? (
          <RecipientsView campaign={data} shown={recipients} onShow={onShow} />
        ) : (
          <Details campaign={data} onShow={onShow} />
        )
      }
    </DetailsDrawer>
  )
}

type OnShow = (recipients: Shown | undefined) => void

function Details({ campaign, onShow }: { campaign: Campaign; onShow: OnShow }) {
  const { now, timeZone } = useClock(0)
  const { word, tone } = statusWords[campaign.status]
  const waits = waitWords(campaign, timeZone)
  return (
    <>
      <p className={styles['lead']}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <span dir="auto">{campaign.audienceName}</span>
      </p>
      {campaign.recentDays !== undefined && (
        <p className={styles['summary']}>Leaves out {recentWords(campaign.recentDays)}.</p>
      )}
      <PauseNote campaign={campaign} onShow={onShow} />
      {waits !== undefined && <Alert type="info" showIcon role="status" title={waits} />}
      <Funnel
        counts={campaign.counts}
        clicks={campaign.clicks}
        onShow={campaign.startedAt === undefined ? undefined : onShow}
      />
      <CampaignCostPart campaign={campaign} />
      <CampaignTimes campaign={campaign} now={now} timeZone={timeZone} />
      <SentTemplate campaign={campaign} />
    </>
  )
}
