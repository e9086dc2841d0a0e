import type { Campaign, CampaignAction } from '@parley/contracts/campaigns'
import { Button } from 'antd'
import { useState } from 'react'
import { counted } from '../../../lib/format.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { useChangeCampaign } from '../api.ts'
import styles from './details.module.css'

/** What can be done with a campaign in its status; cancelling is asked about, for it cannot be undone. */
export function CampaignActions({ campaign: { id, name, status, counts } }: { campaign: Campaign }) {
  const change = useChangeCampaign(id)
  const [asking, setAsking] = useState(false)
  const act = (action: CampaignAction, done: string) => change.mutate(action, { onSuccess: () => toast.success(done) })
  const runs = status === 'active' || status === 'paused'
  if (!runs && status !== 'scheduled') return <p className={styles['over']}>Nothing more will be sent.</p>
  return (
    <div className={styles['actions']}>
      <Button danger onClick={() => setAsking(true)}>
        Cancel campaign
      </Button>
      {status === 'active' && <Button onClick={() => act('pause', `${name} is paused`)}>Pause</Button>}
      {status === 'paused' && <Button onClick={() => act('resume', `${name} is resumed`)}>Resume</Button>}
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
