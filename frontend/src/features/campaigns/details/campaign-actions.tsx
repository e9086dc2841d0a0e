import type { Campaign, CampaignAction, Missed } from '@parley/contracts/campaigns'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { useChangeCampaign } from '../api.ts'
import { missedOf, missedWords } from '../words.ts'
import styles from './details.module.css'

/** What can be done with a campaign in its status; cancelling is asked about, for it cannot be undone. */
export function CampaignActions({
  campaign: { id, name, status, counts, pausedFor },
  onFollowUp,
}: {
  campaign: Campaign
  /** Begins another one for those whom it has missed. */
  onFollowUp: (missed: Missed) => void
}) {
  const change = useChangeCampaign(id)
  const [asking, setAsking] = useState(false)
  const act = (action: CampaignAction, done: string) =>
    change.mutate({ action }, { onSuccess: () => toast.success(done) })
  const mayNotWrite = useIsRefused('campaigns:write')
  const mayNotSend = useIsRefused('campaigns:send')
  const runs = status === 'active' || status === 'paused'
  if (!runs && status !== 'scheduled')
    return (
      <div className={styles['ended']}>
        <p className={styles['over']}>Nothing more will be sent.</p>
        {!mayNotWrite && <FollowUp missed={missedOf(counts)} onChoose={onFollowUp} />}
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
      {status === 'paused' && pausedFor !== 'template_changed' && (
        <Button onClick={() => act('resume', `${name} is resumed`)}>Resume</Button>
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
        {runs
          ? `${counted(counts.queued, 'message')} will not be sent. What has been sent stays sent. This cannot be undone.`
          : `None of its ${counted(counts.queued, 'message')} will be sent. This cannot be undone.`}
      </ConfirmDialog>
    </div>
  )
}

function FollowUp({ missed, onChoose }: { missed: ReturnType<typeof missedOf>; onChoose: (missed: Missed) => void }) {
  if (missed.length === 0) return null
  return (
    <Dropdown
      trigger={['click']}
      placement="topRight"
      menu={{
        items: missed.map(({ missed: key, count }) => ({ key, label: `${missedWords[key]} (${formatCount(count)})` })),
        onClick: ({ key }) => {
          const chosen = missed.find((each) => each.missed === key)
          if (chosen) onChoose(chosen.missed)
        },
      }}
    >
      <Button aria-haspopup="menu">Send again to…</Button>
    </Dropdown>
  )
}
