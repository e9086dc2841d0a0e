import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import type { CampaignDraft } from '@parley/contracts/campaigns/campaign-fields'
import { Button } from 'antd'
import cards from '../../ui/cards.module.css'
import { Timestamp } from '../../ui/timestamp.tsx'
import styles from './campaigns.module.css'
import { CardHead } from './card-head.tsx'
import { nameOf, useDeleteDraft } from './drafts-api.ts'

/** A campaign that is still being written. */
export function DraftCard({
  draft,
  now,
  timeZone,
  readOnly,
  onOpen,
}: {
  draft: CampaignDraft
  now: Date
  timeZone: string
  readOnly: boolean
  onOpen: () => void
}) {
  const remove = useDeleteDraft(draft)
  const name = nameOf(draft)
  return (
    <li className={cards['card']}>
      <CardHead name={name} sub={draft.audienceName || 'No audience yet'} status="draft" />
      <dl className={cards['facts']}>
        <div>
          <dt>Template</dt>
          <dd className={styles['line']} title={draft.templateName}>
            {draft.templateName || 'None yet'}
          </dd>
        </div>
        <div>
          <dt>Last changed</dt>
          <dd>
            <Timestamp at={draft.updatedAt} now={now} timeZone={timeZone} />
          </dd>
        </div>
      </dl>
      {!readOnly && (
        <div className={cards['foot']}>
          <Button onClick={onOpen} aria-label={`Continue ${name}`}>
            Continue
          </Button>
          <Button
            type="text"
            icon={<DeleteOutlined aria-hidden />}
            aria-label={`Delete ${name}`}
            onClick={() => remove.mutate(undefined)}
          >
            Delete
          </Button>
        </div>
      )}
    </li>
  )
}
