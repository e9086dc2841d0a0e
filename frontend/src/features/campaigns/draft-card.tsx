import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import type { CampaignDraft } from '@parley/contracts/campaign-fields'
import { Button } from 'antd'
import cards from '../../ui/cards.module.css'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { When } from '../../ui/when.tsx'
import styles from './campaigns.module.css'
import { nameOf, useDeleteDraft } from './drafts-api.ts'
import { statusWords } from './words.ts'

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
  const { word, tone } = statusWords.draft
  return (
    <li className={cards['card']}>
      <div className={cards['head']}>
        <div className={cards['titles']}>
          <h2 className={cards['title']} title={name} dir="auto">
            {name}
          </h2>
          <p className={`${cards['sub']} ${styles['line']}`} dir="auto">
            {draft.audienceName || 'No audience yet'}
          </p>
        </div>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
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
            <When at={draft.updatedAt} now={now} timeZone={timeZone} />
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
