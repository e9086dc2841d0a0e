import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { Button } from 'antd'
import { useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import styles from './details.module.css'
import type { OpenDraft } from './open-draft.ts'
import { useRetry } from './results-api.ts'

/** Sends again what may have arrived, which only a person decides: of a campaign that is over. */
export function SendUnconfirmedAgain({
  campaign: { id, status, counts, recipientsRemoved },
  onDraft,
}: {
  campaign: Campaign
  onDraft: OpenDraft
}) {
  const [asking, setAsking] = useState(false)
  const mayNotWrite = useIsRefused('campaigns:write')
  const retry = useRetry(id)
  const isOver = status === 'completed' || status === 'cancelled'
  if (!isOver || counts.uncertain === 0 || mayNotWrite || recipientsRemoved) return null
  const count = formatCount(counts.uncertain)
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Send again to {count} not confirmed
      </Button>
      <ConfirmDialog
        open={asking}
        title={`Send again to ${count} not confirmed?`}
        confirmLabel="Create draft"
        danger={false}
        pending={retry.isPending}
        onConfirm={() =>
          retry.mutate(
            { scope: 'not_confirmed' },
            {
              onSuccess: (draft) => {
                setAsking(false)
                onDraft(draft.id, 'audience')
              },
            },
          )
        }
        onClose={() => setAsking(false)}
      >
        <div className={styles['notice']}>
          <p>
            Parley asked WhatsApp to send {counted(counts.uncertain, 'message')} and got no answer. Some may have
            arrived: {counts.uncertain === 1 ? 'this customer' : 'these customers'} may get the same message twice.
          </p>
          <p>
            Recipients that WhatsApp confirms in the meantime are left out. You review the draft before anything is
            sent, and each message is charged.
          </p>
        </div>
      </ConfirmDialog>
    </>
  )
}
