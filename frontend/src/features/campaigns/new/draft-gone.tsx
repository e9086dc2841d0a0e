import SendOutlined from '@ant-design/icons/SendOutlined'
import type { AnyCampaign } from '@parley/contracts/campaigns/campaigns'
import { Button } from 'antd'
import { EmptyState } from '../../../ui/empty-state.tsx'
import styles from './new-broadcast.module.css'

/** Replaces the steps where another member has launched or deleted the draft meanwhile. */
export function DraftGone({
  name,
  launched,
  isUnsaved,
  onShow,
  onKeep,
  onLeave,
}: {
  name: string
  /** Campaign launched from it; absent where it was deleted. */
  launched: AnyCampaign | undefined
  /** Set where changes made here have not been saved in it. */
  isUnsaved: boolean
  onShow: (id: string) => void
  /** Begins another draft with what stands here; absent where nothing is open. */
  onKeep: (() => void) | undefined
  onLeave: () => void
}) {
  const keep = onKeep && (!launched || isUnsaved) && <Button onClick={onKeep}>Keep what I have as a new draft</Button>
  if (!launched)
    return (
      <EmptyState
        icon={<SendOutlined />}
        title={`${name} was deleted`}
        message="Someone has deleted this draft. Nothing was sent."
        action={
          <div className={styles['ways']}>
            {keep}
            <Button onClick={onLeave}>Show all campaigns</Button>
          </div>
        }
      />
    )
  return (
    <EmptyState
      icon={<SendOutlined />}
      title={`${launched.name} is no longer a draft`}
      message={
        launched.status === 'scheduled'
          ? 'It has been scheduled with the last saved version.'
          : 'It has been started with the last saved version.'
      }
      action={
        <div className={styles['ways']}>
          <Button type="primary" onClick={() => onShow(launched.id)}>
            Show the campaign
          </Button>
          {keep}
        </div>
      }
    />
  )
}
