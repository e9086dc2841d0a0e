import SendOutlined from '@ant-design/icons/SendOutlined'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useIsRefused } from '../../lib/choices/members.ts'
import { formatCount } from '../../lib/format.ts'
import { useClock } from '../../lib/use-clock.ts'
import { CardList } from '../../ui/card-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { campaignListOptions, campaignSummaryOptions } from './api.ts'
import { CampaignCard } from './campaign-card.tsx'
import { DraftCard } from './draft-card.tsx'
import { statusLabels } from './labels.ts'
import { type CampaignsUrl, type ChangeUrl, queryOf } from './url.ts'

const filterable = ['draft', 'scheduled', 'active', 'completed', 'paused'] as const

/** List of campaigns: search, filter and the cards. */
export function CampaignList({ url, change }: { url: CampaignsUrl; change: ChangeUrl }) {
  const list = useQuery(campaignListOptions(queryOf(url)))
  const { now, timeZone } = useClock(list.dataUpdatedAt)
  const drafts = useQuery(campaignSummaryOptions()).data?.draft ?? 0
  const mayNotWrite = useIsRefused('campaigns:write')
  return (
    <CardList
      list={list}
      url={url}
      change={change}
      what="campaign"
      filters={[
        {
          name: 'status',
          label: 'Status',
          many: true,
          options: filterable.map((value) => ({
            value,
            label: value === 'draft' && drafts > 0 ? `Draft (${formatCount(drafts)})` : statusLabels[value].word,
          })),
          chosen: url.status ?? [],
        },
      ]}
      empty={
        <EmptyState
          icon={<SendOutlined />}
          title="Send your first campaign"
          message="Choose an audience, an approved template and a time. People who opted out are excluded automatically."
          action={<Button onClick={() => change({ new: '1' })}>Plan a campaign</Button>}
        />
      }
      failure="Running campaigns are not affected. Check your connection and try again."
      cardHeight="190px"
      card={(campaign) =>
        campaign.status === 'draft' ? (
          <DraftCard
            key={campaign.id}
            draft={campaign}
            now={now}
            timeZone={timeZone}
            readOnly={mayNotWrite}
            onOpen={() => change({ draft: campaign.id })}
          />
        ) : (
          <CampaignCard
            key={campaign.id}
            campaign={campaign}
            timeZone={timeZone}
            onOpen={() => change({ id: campaign.id })}
          />
        )
      }
    />
  )
}
