import type { Missed } from '@parley/contracts/campaigns/campaign-fields'
import type { Campaign, CampaignAction } from '@parley/contracts/campaigns/campaigns'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { useChangeCampaign } from '../api.ts'
import { missedLabels, missedOf } from '../labels.ts'
import styles from './details.module.css'
import type { OpenDraft } from './open-draft.ts'
import { RescheduleDialog } from './reschedule-dialog.tsx'
import { useRetry } from './results-api.ts'
import { RetryFailedDialog } from './retry-failed-dialog.tsx'

/** Shows the actions that a campaign's status allows; cancelling needs confirmation, for it cannot be undone. */
export function CampaignActions({
  campaign,
  onDraft,
}: {
  campaign: Campaign
  /** Called when a follow-up for the missed recipients was begun. */
  onDraft: OpenDraft
}) {
  const { id, name, status, counts, startedAt, pausedFor } = campaign
  const change = useChangeCampaign(id)
  const [asking, setAsking] = useState(false)
  const [isRescheduling, setIsRescheduling] = useState(false)
  const act = (action: CampaignAction, done: string) =>
    change.mutate({ action }, { onSuccess: () => toast.success(done) })
  const mayNotWrite = useIsRefused('campaigns:write')
  const mayNotSend = useIsRefused('campaigns:send')
  const runs = status === 'active' || status === 'paused'
  const isAhead = status === 'scheduled' || (status === 'paused' && startedAt === undefined)
  if (!runs && status !== 'scheduled')
    return (
      <div className={styles['ended']}>
        <p className={styles['over']}>Nothing more will be sent.</p>
        {!mayNotWrite && !campaign.recipientsRemoved && <FollowUp campaign={campaign} onDraft={onDraft} />}
      </div>
    )
  if (mayNotSend) return <p className={styles['over']}>Only owners and admins pause or cancel campaigns.</p>
  return (
    <div className={styles['actions']}>
      <Button danger onClick={() => setAsking(true)}>
        Cancel campaign
      </Button>
      {status === 'active' && <Button onClick={() => act('pause', `${name} is paused`)}>Pause</Button>}
      {/* With another text it is resumed beside that text. */}
      {status === 'paused' && !isAhead && pausedFor !== 'template_changed' && (
        <Button onClick={() => act('resume', `${name} is resumed`)}>Resume</Button>
      )}
      {isAhead && (
        <>
          <Button onClick={() => setIsRescheduling(true)}>Reschedule</Button>
          {pausedFor !== 'template_changed' && (
            <Button type="primary" onClick={() => act('start_now', `${name} is started`)}>
              Start now
            </Button>
          )}
          <RescheduleDialog open={isRescheduling} campaign={campaign} onClose={() => setIsRescheduling(false)} />
        </>
      )}
      <ConfirmDialog
        open={asking}
        title={`Cancel ${name}?`}
        confirmLabel="Cancel campaign"
        onConfirm={() => {
          setAsking(false)
          act('cancel', `${name} is cancelled`)
        }}
        onClose={() => setAsking(false)}
      >
        {runs && !isAhead
          ? `${counted(counts.queued, 'message')} will not be sent. What has been sent stays sent. This cannot be undone.`
          : `None of its ${counted(counts.queued, 'message')} will be sent. This cannot be undone.`}
      </ConfirmDialog>
    </div>
  )
}

const labelOf = (missed: Missed, count: number): string => `${missedLabels[missed]} (${formatCount(count)})`

function FollowUp({ campaign, onDraft }: { campaign: Campaign; onDraft: OpenDraft }) {
  const retry = useRetry(campaign.id)
  const [isChoosing, setIsChoosing] = useState(false)
  const missed = missedOf(campaign.counts)
  if (missed.length === 0) return null
  const begin = (whom: Missed) => {
    if (whom === 'failed') return setIsChoosing(true)
    // The draft is already filled in completely; the audience is what a member may want to change.
    retry.mutate({ scope: whom }, { onSuccess: ({ id }) => onDraft(id, 'audience') })
  }
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="topRight"
        menu={{
          items: missed.map(({ missed: key, count }) => ({ key, label: labelOf(key, count) })),
          onClick: ({ key }) => {
            const chosen = missed.find((option) => option.missed === key)
            if (chosen) begin(chosen.missed)
          },
        }}
      >
        <Button aria-haspopup="menu" loading={retry.isPending}>
          Send again to…
        </Button>
      </Dropdown>
      <RetryFailedDialog open={isChoosing} campaign={campaign} onDraft={onDraft} onClose={() => setIsChoosing(false)} />
    </>
  )
}
