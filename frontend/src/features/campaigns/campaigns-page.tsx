import PlusOutlined from '@ant-design/icons/PlusOutlined'
import SendOutlined from '@ant-design/icons/SendOutlined'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useIsRefused } from '../../lib/choices/members.ts'
import { formatCount } from '../../lib/format.ts'
import { Counters } from '../../ui/counters.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { campaignSummaryOptions } from './api.ts'
import { CampaignList } from './campaign-list.tsx'
import type { OpenDraft } from './details/open-draft.ts'
import { detailsClosed, useCampaignsUrl, wizardClosed } from './url.ts'

const NewBroadcast = lazy(async () => ({ default: (await import('./new/new-broadcast.tsx')).NewBroadcast }))
const CampaignDrawer = lazy(async () => ({ default: (await import('./details/campaign-drawer.tsx')).CampaignDrawer }))

/** Campaigns: the list with the details of one, or the steps of a new broadcast. */
export function CampaignsPage() {
  const [url, change] = useCampaignsUrl()
  const openDraft: OpenDraft = useCallback(
    (draft, step, how) => change({ ...detailsClosed, draft, step }, how),
    [change],
  )
  const mayNotWrite = useIsRefused('campaigns:write')
  // Once opened it stays mounted, so that it can close with its motion.
  const [opened, setOpened] = useState(false)
  if (url.id && !opened) setOpened(true)
  const isWriting = url.new !== undefined || url.draft !== undefined
  if (isWriting && mayNotWrite)
    return (
      <Page>
        <EmptyState
          icon={<SendOutlined />}
          title="Your role cannot plan campaigns"
          message="Ask an owner or an admin of the workspace to change your role, or to plan this one."
          action={<Button onClick={() => change(wizardClosed)}>Show campaigns</Button>}
        />
      </Page>
    )
  if (isWriting)
    return (
      <Suspense fallback={<Loading />}>
        <NewBroadcast url={url} change={change} />
      </Suspense>
    )
  return (
    <Page
      description="One approved message to many contacts, now or at a time you choose."
      actions={
        !mayNotWrite && (
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ new: '1' })}>
            New Broadcast
          </Button>
        )
      }
    >
      <Summary />
      <CampaignList url={url} change={change} />
      {opened && (
        <Suspense>
          <CampaignDrawer
            id={url.id}
            recipients={url.recipients}
            timeline={url.timeline !== undefined}
            onShow={(recipients) => change({ recipients, timeline: undefined })}
            onTimeline={() => change({ recipients: undefined, timeline: '1' })}
            onDraft={openDraft}
            onClose={() => change(detailsClosed)}
          />
        </Suspense>
      )}
    </Page>
  )
}

function Summary() {
  const { data, isLoadingError } = useQuery(campaignSummaryOptions())
  return (
    <Counters
      failed={isLoadingError}
      items={[
        { label: 'Total', value: data?.total },
        { label: 'Active', value: data?.active },
        { label: 'Scheduled', value: data?.scheduled },
        { label: 'Completed', value: data?.completed },
        { label: 'Paused', value: data?.paused },
        { label: 'Messages sent', value: data && formatCount(data.sent) },
      ]}
    />
  )
}
